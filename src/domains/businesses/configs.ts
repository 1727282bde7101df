/** Validation of a business's settings. Pure functions. */
import { checkBlockSchema } from '../../shared/blocks/index.ts';
import { checkCurrencies } from '../../shared/currencies.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { Configs, StoredConfigs } from './schemas.ts';
import { isMasked, SECRETS } from './vault.ts';

/** Checks the rules that a JSON schema can't express. `stored`: the current settings, which masked secrets refer to. */
export function checkConfigs(configs: Configs, stored: StoredConfigs): FieldError[] {
  return [
    ...checkMarkets(configs, stored),
    ...checkShipping(configs),
    ...checkProvider(configs, stored),
    ...checkTimeZone(configs),
    ...checkBlockSchema(configs.orderBlocks ?? [], 'configs.orderBlocks'),
  ];
}

function checkMarkets({ markets = [] }: Configs, stored: StoredConfigs): FieldError[] {
  return [
    ...duplicates(
      markets.map((market) => market.id.toLowerCase()),
      (i) => `configs.markets[${i}].id`,
    ),
    ...checkCurrencies(
      markets.map(({ currency }, i) => ({ field: `configs.markets[${i}].currency`, currency })),
      stored.markets?.map(({ currency }) => currency),
    ),
  ];
}

function checkShipping({ shippingMethods = [] }: Configs): FieldError[] {
  const ids = shippingMethods.map((method) => method.id);
  return [
    ...duplicates(ids, (i) => `configs.shippingMethods[${i}].id`),
    ...shippingMethods.flatMap((method, m) =>
      duplicates(
        method.prices.map((price) => price.market.toLowerCase()),
        (i) => `configs.shippingMethods[${m}].prices[${i}].market`,
      ),
    ),
  ];
}

function checkProvider({ paymentProvider: sent }: Configs, stored: StoredConfigs): FieldError[] {
  if (!sent) return [];
  const existing = stored.paymentProvider?.type === sent.type ? stored.paymentProvider : undefined;
  const errors: FieldError[] = [];
  for (const name of SECRETS) {
    if (isMasked(sent[name]) && existing?.[name] === undefined) {
      const field = `configs.paymentProvider.${name}`;
      errors.push({
        field,
        error: 'INVALID_VALUE',
        message: `${field} is masked, but no secret is stored. Send the full secret.`,
      });
    }
  }
  if (sent.type === 'STRIPE' && sent.secretKey === undefined && existing?.secretKey === undefined) {
    const field = 'configs.paymentProvider.secretKey';
    errors.push({ field, error: 'REQUIRED', message: `${field} is required for STRIPE.` });
  }
  return errors;
}

function checkTimeZone({ profile: { timeZone } = {} }: Configs): FieldError[] {
  if (timeZone === undefined || isTimeZone(timeZone)) return [];
  const field = 'configs.profile.timeZone';
  return [{ field, error: 'INVALID_VALUE', message: `${field} must be an IANA time zone, for example Europe/Berlin.` }];
}

/** Accepts only named zones. An offset such as +01:00 has no daylight saving time. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

function duplicates(values: string[], fieldOf: (index: number) => string): FieldError[] {
  return values.flatMap((value, i) =>
    values.indexOf(value) === i
      ? []
      : [{ field: fieldOf(i), error: 'DUPLICATE', message: `${fieldOf(i)} is listed more than once.` }],
  );
}
