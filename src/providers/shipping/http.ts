import Type from 'typebox';
import { CallFailed } from '../outbound/index.ts';
import type { JsonCalls } from '../outbound/json-call.ts';
import { createLookups, type LookupOptions } from '../outbound/lookups.ts';
import type { Carriers, Rate } from './port.ts';

const RateSchema = Type.Object({
  amount: Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), Type.Null()]),
  etaText: Type.Optional(Type.String({ maxLength: 200 })),
});

/** Rates from any server that implements docs/extend/shipping-rates.md. */
export function httpCarriers(calls: JsonCalls, options: LookupOptions = {}): Carriers {
  const lookups = createLookups<Rate>(options);
  return {
    quote: (receiver, request, nowSeconds) =>
      lookups.get(receiver, request, async () => {
        const payload = { type: 'shipping.rate', businessId: receiver.businessId, ...request };
        const response = await calls.postSigned(receiver, { nowSeconds, payload });
        const { default: Value } = await import('typebox/value');
        if (!Value.Check(RateSchema, response)) throw new CallFailed('its response has the wrong fields');
        return response;
      }),
  };
}
