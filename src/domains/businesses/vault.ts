/** Secrets of payment and email providers: encrypted in the database, decrypted for provider calls, masked in responses. */
import { deriveKey, seal, unseal } from '../../shared/security/secrets.ts';
import { findEndpoint, hasEndpoints, isMasked, mapEndpoints, mask } from './endpoints.ts';
import type { MailEventsSettings } from './sale-schemas.ts';
import type { Configs, Endpoint, PaymentProvider, StoredConfigs } from './schemas.ts';

export const SECRETS = ['secretKey', 'webhookSecret'] as const;
const MAIL_EVENTS = 'mail-events';
type SecretName = (typeof SECRETS)[number];

export type ProviderSecrets = {
  type: PaymentProvider['type'];
  publicKey: string | null;
  secretKey: string | null;
  webhookSecret: string | null;
};

export function createVault(masterSecret: string) {
  const key = deriveKey(masterSecret, 'business-secrets');
  /** Binds an encrypted secret to its business and name, so that it can't be decrypted for any other. */
  const purpose = (businessId: string, name: string) => `${businessId}/${name}`;

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

  /** A sent secret is sealed. An omitted or masked one is kept. */
  function sealEndpoints(businessId: string, sent: Configs, stored: StoredConfigs): StoredConfigs {
    if (!hasEndpoints(sent)) return sent;
    return mapEndpoints(sent, ({ url, secret }, name) => ({
      url,
      secret:
        secret === undefined || isMasked(secret)
          ? findEndpoint(stored, name)?.secret
          : seal(key, secret, purpose(businessId, name)),
    }));
  }

  /** Null if none are stored. */
  const openMailEvents = (businessId: string, { mailEvents }: StoredConfigs): Required<MailEventsSettings> | null =>
    mailEvents ? { ...mailEvents, secret: unseal(key, mailEvents.secret!, purpose(businessId, MAIL_EVENTS)) } : null;

  function sealMailEvents(businessId: string, sent: MailEventsSettings, stored: StoredConfigs): MailEventsSettings {
    const isKept = sent.secret === undefined || isMasked(sent.secret);
    return {
      ...sent,
      secret: isKept ? stored.mailEvents?.secret : seal(key, sent.secret!, purpose(businessId, MAIL_EVENTS)),
    };
  }

  const maskEndpoints = (businessId: string, configs: StoredConfigs): Configs =>
    hasEndpoints(configs)
      ? mapEndpoints(configs, (endpoint, name) => ({
          url: endpoint.url,
          secret: mask(openEndpoint(businessId, endpoint, name).secret),
        }))
      : configs;

  function maskMailEvents(businessId: string, configs: Configs): Configs {
    const opened = openMailEvents(businessId, configs);
    return opened ? { ...configs, mailEvents: { ...opened, secret: mask(opened.secret) } } : configs;
  }

  const openEndpoint = (businessId: string, { url, secret }: Endpoint, name: string) => ({
    businessId,
    url,
    secret: unseal(key, secret!, purpose(businessId, name)),
  });

  return {
    /** Merges submitted settings: sent sections replace stored ones, and omitted or masked secrets are kept. */
    merge(businessId: string, sent: Configs, stored: StoredConfigs): StoredConfigs {
      const { paymentProvider } = sent;
      const merged = {
        ...stored,
        ...sealEndpoints(businessId, sent, stored),
        ...(sent.mailEvents && { mailEvents: sealMailEvents(businessId, sent.mailEvents, stored) }),
      };
      if (!paymentProvider) return merged;
      return {
        ...merged,
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
    /** The provider of mail events with its decrypted secret. Never put it in a response. */
    mailEvents: openMailEvents,
    /** An endpoint with its decrypted secret. Never put it in a response. */
    endpoint(businessId: string, configs: StoredConfigs, name: string) {
      const found = findEndpoint(configs, name);
      return found ? openEndpoint(businessId, found, name) : null;
    },
    /** The settings with masked secrets, as members see them. */
    masked(businessId: string, stored: StoredConfigs): Configs {
      const configs = maskMailEvents(businessId, maskEndpoints(businessId, stored));
      if (!configs.paymentProvider) return configs;
      const masked: PaymentProvider = { ...configs.paymentProvider };
      for (const name of SECRETS) {
        const secret = open(businessId, configs.paymentProvider, name);
        if (secret === null) delete masked[name];
        else masked[name] = mask(secret);
      }
      return { ...configs, paymentProvider: masked };
    },
  };
}

export type Vault = ReturnType<typeof createVault>;
