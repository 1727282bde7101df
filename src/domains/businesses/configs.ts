/** Validation of a business's settings. Pure functions. */
import { checkBlockSchema, type PreparedTexts } from '../../shared/blocks/index.ts';
import { checkCurrencies } from '../../shared/currencies.ts';
import type { FieldError } from '../../shared/errors.ts';
import { isIban, plainIban } from '../../shared/iban.ts';
import { checkEndpoints, isMasked } from './endpoints.ts';
import type { BankAccount } from './sale-schemas.ts';
import type { Configs, ConfigsInput, ShippingRate, StoredConfigs } from './schemas.ts';
import { checkStorefront, completeStorefront } from './storefront/settings.ts';
import { SECRETS } from './vault.ts';

/** A shipping method with zones may be sent without prices, and an IBAN with spaces. */
export const completeConfigs = (
  { shippingMethods, bankTransfer, storefront, ...configs }: ConfigsInput,
  { sanitize }: PreparedTexts,
): Configs => ({
  ...configs,
  ...(bankTransfer && { bankTransfer: plainAccount(bankTransfer) }),
  ...(storefront && { storefront: completeStorefront(storefront, sanitize) }),
  ...(shippingMethods && {
    shippingMethods: shippingMethods.map((method) => ({ ...method, prices: method.prices ?? [] })),
  }),
});

const plainAccount = ({ bic, ...account }: BankAccount): BankAccount => ({
  days: 14,
  ...account,
  iban: plainIban(account.iban),
  ...(bic ? { bic: bic.toUpperCase() } : {}),
});

/** Checks the rules that a JSON schema can't express. `stored`: the current settings, which masked secrets refer to. */
export function checkConfigs(configs: Configs, stored: StoredConfigs): FieldError[] {
  return [
    ...checkMarkets(configs, stored),
    ...checkShipping(configs),
    ...checkTaxes(configs, stored),
    ...checkEndpoints(configs, stored),
    ...checkProvider(configs, stored),
    ...checkMailEvents(configs, stored),
    ...checkBankTransfer(configs, stored),
    ...checkTimeZone(configs),
    ...checkIban(configs),
    ...checkStorefront(configs),
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
    ...shippingMethods.flatMap(({ locations = [] }, m) =>
      duplicates(
        locations.map(({ id }) => id),
        (i) => `configs.shippingMethods[${m}].locations[${i}].id`,
      ),
    ),
    ...shippingMethods.flatMap(({ zones = [] }, m) =>
      zones.flatMap(({ rates }, z) =>
        rates.flatMap((rate, i) => checkLimits(rate, `configs.shippingMethods[${m}].zones[${z}].rates[${i}]`)),
      ),
    ),
  ];
}

function checkLimits({ minWeight, maxWeight, minSubtotal, maxSubtotal }: ShippingRate, at: string): FieldError[] {
  const limits = [
    ['maxWeight', minWeight, maxWeight],
    ['maxSubtotal', minSubtotal, maxSubtotal],
  ] as const;
  return limits.flatMap(([name, min = 0, max = min]) => {
    const field = `${at}.${name}`;
    return max < min ? [{ field, error: 'OUT_OF_RANGE', message: `${field} must be at least ${min}.` }] : [];
  });
}

/** `PROPORTIONAL` is not a class. Every business has the class `standard`. */
function checkTaxes({ taxClasses, taxRates = [], tax }: Configs, stored: StoredConfigs): FieldError[] {
  const ids = (taxClasses ?? stored.taxClasses ?? []).map(({ id }) => id);
  const classes = new Set(['standard', ...ids]);
  const classUses = [
    ...taxRates.map(({ classId }, i) => [`configs.taxRates[${i}].classId`, classId] as const),
    ...(tax?.shipping && tax.shipping !== 'PROPORTIONAL' ? [['configs.tax.shipping', tax.shipping] as const] : []),
  ];
  return [
    ...duplicates(taxClasses ? ids : [], (i) => `configs.taxClasses[${i}].id`),
    ...duplicates(
      taxRates.map(({ id }) => id),
      (i) => `configs.taxRates[${i}].id`,
    ),
    ...classUses.flatMap(([field, classId]) =>
      classes.has(classId) ? [] : [{ field, error: 'NOT_FOUND', message: `${field} does not match a tax class.` }],
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

/** A Postmark password is the only proof of origin, so it must be long. A stored key is kept only for the same provider. */
function checkMailEvents({ mailEvents: sent }: Configs, { mailEvents: stored }: StoredConfigs): FieldError[] {
  if (!sent) return [];
  const field = 'configs.mailEvents.secret';
  if (sent.secret === undefined || isMasked(sent.secret)) {
    const isStored = stored?.type === sent.type && stored.secret !== undefined;
    const message = `${field} is required for ${sent.type}. Send the full secret.`;
    return isStored ? [] : [{ field, error: 'REQUIRED', message }];
  }
  return sent.type === 'POSTMARK' && sent.secret.length < 16
    ? [{ field, error: 'TOO_SHORT', message: `${field} must have at least 16 characters.` }]
    : [];
}

function checkIban({ seller: { bank } = {} }: Configs): FieldError[] {
  if (!bank || isIban(plainIban(bank.iban))) return [];
  const field = 'configs.seller.bank.iban';
  return [{ field, error: 'INVALID_IBAN', message: `${field} is not a valid IBAN. Check it for typos.` }];
}

function checkBankTransfer({ bankTransfer, markets = [] }: Configs, stored: StoredConfigs): FieldError[] {
  const field = 'configs.bankTransfer.iban';
  const message = `${field} is not a valid IBAN. Check it for typos.`;
  const errors = bankTransfer && !isIban(bankTransfer.iban) ? [{ field, error: 'INVALID_IBAN', message }] : [];
  if (bankTransfer ?? stored.bankTransfer) return errors;
  return markets.flatMap(({ paymentMethods = [] }, i) =>
    paymentMethods.some(({ method }) => method === 'BANK_TRANSFER')
      ? [
          {
            field: `configs.markets[${i}].paymentMethods`,
            error: 'REQUIRED',
            message:
              'Add the account holder and IBAN in configs.bankTransfer before you enable bank transfer in a market.',
          },
        ]
      : [],
  );
}

function checkTimeZone({ profile: { timeZone } = {} }: Configs): FieldError[] {
  if (timeZone === undefined || isTimeZone(timeZone)) return [];
  const field = 'configs.profile.timeZone';
  return [{ field, error: 'INVALID_VALUE', message: `${field} must be an IANA time zone, for example Europe/Berlin.` }];
}

/** Accepts only named zones. An offset such as +01:00 has no daylight saving time. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

function duplicates(values: string[], fieldOf: (index: number) => string): FieldError[] {
  const seen = new Set<string>();
  return values.flatMap((value, i) => {
    const isNew = seen.size < seen.add(value).size;
    return isNew ? [] : [{ field: fieldOf(i), error: 'DUPLICATE', message: `${fieldOf(i)} is listed more than once.` }];
  });
}
