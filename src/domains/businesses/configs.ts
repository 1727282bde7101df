import { checkBlockSchema } from '../../shared/blocks.ts';
import type { FieldError } from '../../shared/errors.ts';
import { deriveKey, seal, unseal } from '../../shared/secrets.ts';
import type { Configs, PaymentProvider, StoredConfigs } from './schemas.ts';

const SECRETS = ['secretKey', 'webhookSecret'] as const;
const MASK = '****';

export type ProviderSecrets = {
  type: PaymentProvider['type'];
  publicKey: string | null;
  secretKey: string | null;
  webhookSecret: string | null;
};

const isMasked = (value: string | undefined) => value?.startsWith(MASK) ?? false;

/** Everything about a business's settings that a schema cannot say. `stored`: what masked secrets refer to. */
export function checkConfigs(configs: Configs, stored: StoredConfigs): FieldError[] {
  return [
    ...checkMarkets(configs),
    ...checkShipping(configs),
    ...checkProvider(configs, stored),
    ...checkBlockSchema(configs.orderBlocks ?? [], 'configs.orderBlocks'),
  ];
}

/** The settings after a write: sections that were sent replace what was there; a secret left out or sent masked is kept. */
export function createVault(masterSecret: string) {
  const key = deriveKey(masterSecret, 'business-secrets');
  const place = (businessId: string, name: string) => `${businessId}/${name}`;

  function sealProvider(businessId: string, sent: PaymentProvider, stored: PaymentProvider | undefined) {
    const former = stored?.type === sent.type ? stored : undefined;
    const sealed: PaymentProvider = { ...former, ...sent };
    for (const name of SECRETS) {
      const value = sent[name];
      if (value === undefined || isMasked(value)) sealed[name] = former?.[name];
      else sealed[name] = seal(key, value, place(businessId, name));
    }
    return sealed;
  }

  function open(businessId: string, provider: PaymentProvider, name: (typeof SECRETS)[number]): string | null {
    const sealed = provider[name];
    return sealed === undefined ? null : unseal(key, sealed, place(businessId, name));
  }

  return {
    merge(businessId: string, sent: Configs, stored: StoredConfigs): StoredConfigs {
      const { paymentProvider } = sent;
      if (!paymentProvider) return { ...stored, ...sent };
      return {
        ...stored,
        ...sent,
        paymentProvider: sealProvider(businessId, paymentProvider, stored.paymentProvider),
      };
    },
    /** A business without a provider takes sandbox payments. */
    secrets(businessId: string, { paymentProvider: provider }: StoredConfigs): ProviderSecrets {
      return {
        type: provider?.type ?? 'SANDBOX',
        publicKey: provider?.publicKey ?? null,
        secretKey: provider ? open(businessId, provider, 'secretKey') : null,
        webhookSecret: provider ? open(businessId, provider, 'webhookSecret') : null,
      };
    },
    /** Members see secrets masked, all others not at all. */
    shown(businessId: string, configs: StoredConfigs, toMember: boolean): Configs {
      if (!configs.paymentProvider) return configs;
      const { secretKey: _, webhookSecret: __, ...provider } = configs.paymentProvider;
      if (!toMember) return { ...configs, paymentProvider: provider };
      const masked: PaymentProvider = { ...provider };
      for (const name of SECRETS) {
        const secret = open(businessId, configs.paymentProvider, name);
        if (secret !== null) masked[name] = mask(secret);
      }
      return { ...configs, paymentProvider: masked };
    },
  };
}

export type Vault = ReturnType<typeof createVault>;

const mask = (secret: string) => (secret.length < 12 ? MASK : `${MASK}${secret.slice(-4)}`);

function checkMarkets({ markets = [] }: Configs): FieldError[] {
  return duplicates(
    markets.map((market) => market.id.toLowerCase()),
    (i) => `configs.markets[${i}].id`,
  );
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
  const former = stored.paymentProvider?.type === sent.type ? stored.paymentProvider : undefined;
  const errors: FieldError[] = [];
  for (const name of SECRETS) {
    if (isMasked(sent[name]) && former?.[name] === undefined) {
      const field = `configs.paymentProvider.${name}`;
      errors.push({ field, error: 'INVALID_VALUE', message: `${field} is masked and there is none to keep.` });
    }
  }
  if (sent.type === 'STRIPE' && sent.secretKey === undefined && former?.secretKey === undefined) {
    const field = 'configs.paymentProvider.secretKey';
    errors.push({ field, error: 'REQUIRED', message: `${field} is required for STRIPE.` });
  }
  return errors;
}

function duplicates(values: string[], fieldOf: (index: number) => string): FieldError[] {
  return values.flatMap((value, i) =>
    values.indexOf(value) === i
      ? []
      : [{ field: fieldOf(i), error: 'DUPLICATE', message: `${fieldOf(i)} appears twice.` }],
  );
}
