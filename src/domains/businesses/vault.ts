/** Payment provider secrets: encrypted in the database, decrypted for provider calls, masked in responses. */
import { deriveKey, seal, unseal } from '../../shared/security/secrets.ts';
import type { Configs, PaymentProvider, StoredConfigs } from './schemas.ts';

export const SECRETS = ['secretKey', 'webhookSecret'] as const;
type SecretName = (typeof SECRETS)[number];

const MASK = '****';

export type ProviderSecrets = {
  type: PaymentProvider['type'];
  publicKey: string | null;
  secretKey: string | null;
  webhookSecret: string | null;
};

export const isMasked = (value: string | undefined) => value?.startsWith(MASK) ?? false;

export function createVault(masterSecret: string) {
  const key = deriveKey(masterSecret, 'business-secrets');
  /** Binds an encrypted secret to its business and name, so that it can't be decrypted for any other. */
  const purpose = (businessId: string, name: SecretName) => `${businessId}/${name}`;

  function sealProvider(businessId: string, sent: PaymentProvider, stored: PaymentProvider | undefined) {
    const existing = stored?.type === sent.type ? stored : undefined;
    const sealed: PaymentProvider = { ...existing, ...sent };
    for (const name of SECRETS) {
      const value = sent[name];
      if (value === undefined || isMasked(value)) sealed[name] = existing?.[name];
      else sealed[name] = seal(key, value, purpose(businessId, name));
    }
    return sealed;
  }

  function open(businessId: string, provider: PaymentProvider, name: SecretName): string | null {
    const sealed = provider[name];
    return sealed === undefined ? null : unseal(key, sealed, purpose(businessId, name));
  }

  return {
    /** Merges submitted settings: sent sections replace stored ones, and omitted or masked secrets are kept. */
    merge(businessId: string, sent: Configs, stored: StoredConfigs): StoredConfigs {
      const { paymentProvider } = sent;
      if (!paymentProvider) return { ...stored, ...sent };
      return {
        ...stored,
        ...sent,
        paymentProvider: sealProvider(businessId, paymentProvider, stored.paymentProvider),
      };
    },
    /** A business without a payment provider accepts sandbox payments. */
    secrets(businessId: string, { paymentProvider: provider }: StoredConfigs): ProviderSecrets {
      return {
        type: provider?.type ?? 'SANDBOX',
        publicKey: provider?.publicKey ?? null,
        secretKey: provider ? open(businessId, provider, 'secretKey') : null,
        webhookSecret: provider ? open(businessId, provider, 'webhookSecret') : null,
      };
    },
    /** Members see masked secrets, others see none. */
    shown(businessId: string, stored: StoredConfigs, toMember: boolean): Configs {
      const configs =
        toMember || !stored.profile ? stored : { ...stored, profile: { ...stored.profile, taxId: undefined } };
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
