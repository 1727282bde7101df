import Type from 'typebox';
import { CallFailed } from '../outbound/index.ts';
import type { JsonCalls } from '../outbound/json-call.ts';
import { createLookups, type LookupOptions } from '../outbound/lookups.ts';
import type { TaxProvider, TaxQuote, TaxRequest } from './port.ts';

const Amount = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 });
const QuoteSchema = Type.Object({
  lines: Type.Array(Type.Object({ tax: Amount })),
  shipping: Amount,
  taxLines: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 200 }),
        bps: Type.Integer({ minimum: 0, maximum: 10_000 }),
        base: Amount,
        amount: Amount,
      }),
      { maxItems: 50 },
    ),
  ),
});

/** Tax from any server that implements docs/extend/tax-providers.md. */
export function httpTaxProvider(calls: JsonCalls, options: LookupOptions = {}): TaxProvider {
  const lookups = createLookups<TaxQuote>(options);
  return {
    quote: (receiver, request, nowSeconds) =>
      lookups.get(receiver, request, async () => {
        const payload = { type: 'tax.quote', businessId: receiver.businessId, ...request };
        const response = await calls.postSigned(receiver, { nowSeconds, payload });
        if (!(await isQuoteFor(request, response)))
          throw new CallFailed('its response has invalid fields, or amounts that do not add up');
        return response as TaxQuote;
      }),
    async report(receiver, { id, type, payload }, nowSeconds) {
      await calls.postSigned(receiver, {
        id,
        nowSeconds,
        payload: { type, businessId: receiver.businessId, ...payload },
      });
    },
  };
}

/** No tax may exceed the amount it applies to, and the tax lines must add up to the total tax. */
async function isQuoteFor({ lines, shipping }: TaxRequest, response: unknown): Promise<boolean> {
  const { default: Value } = await import('typebox/value');
  if (!Value.Check(QuoteSchema, response) || response.lines.length !== lines.length) return false;
  const tax = response.lines.reduce((sum, line) => sum + line.tax, response.shipping);
  const taxLines = response.taxLines?.reduce((sum, { amount }) => sum + amount, 0) ?? tax;
  return (
    taxLines === tax && response.shipping <= shipping && response.lines.every((line, i) => line.tax <= lines[i]!.amount)
  );
}
