/** Settings from the environment, parsed once and frozen. An invalid setting gives a one-line error that names it. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import {
  type AiSettings,
  ai,
  bounceDomain,
  cdnPurge,
  type DatabaseSettings,
  database,
  mailFrom,
  networks,
  type OAuthSettings,
  oauth,
  origin,
  storage,
  tracing,
} from './config/parts.ts';
import { type CallLimit, createReaders, SettingError } from './config/read.ts';
import { secretKey } from './config/secret-key.ts';
import { DEFAULT_VIES_URL, DEFAULT_WEBHOOK_RETRY } from './config/settings.ts';
import type { Network } from './providers/outbound/addresses.ts';
import type { StorageSettings } from './providers/storage/port.ts';
import { withoutEnd } from './shared/text/text.ts';
import type { TracingSettings } from './tracing/index.ts';

export type { DatabaseSettings } from './config/parts.ts';
export { SettingError } from './config/read.ts';
export { SETTINGS, settingsHelp } from './config/settings.ts';

const MEBIBYTE = 1_048_576;

export type Config = Readonly<{
  production: boolean;
  port: number;
  host: string;
  /** Null if not set. It is then derived from host and port once the port is known. */
  publicUrl: string | null;
  dataDir: string;
  /** Null for the embedded database. */
  database: DatabaseSettings | null;
  /** Total connections per process. */
  databasePool: number;
  secretKey: string;
  smtpUrl: string | null;
  mailFrom: string;
  /** Where mail servers report bounces. Null if they report to the address in MAIL_FROM. */
  bounces: { domain: string; port: number } | null;
  smsUrl: string | null;
  oauth: OAuthSettings | null;
  /** Who can create an account. Guests can always log in. */
  registration: 'open' | 'invited';
  /** Null if not set. Links in emails can then point anywhere, except in production. */
  allowedOrigins: readonly string[] | null;
  allowedRedirects: readonly string[];
  /** `trust`: the operator vouches for storefront hosts. `dns`: each host is verified by a DNS record. */
  storefrontHosts: 'dns' | 'trust';
  /** The endpoint that is notified of changed storefront pages. Null without a CDN. */
  cdnPurge: Readonly<{ url: string; secret: string | null }> | null;
  ai: AiSettings | null;
  stripeApiBase: string | null;
  viesUrl: string;
  outboundAllow: readonly Network[];
  /** Null to use the system's name servers. */
  dnsServers: readonly string[] | null;
  storage: StorageSettings;
  mediaMaxUploadBytes: number;
  mediaQuotaBytes: number;
  checkoutTtlSeconds: number;
  eventsKeptDays: number;
  versionsKept: number;
  guestsKeptDays: number;
  failedJobsKeptDays: number;
  webhookRetrySeconds: readonly number[];
  webhookTimeoutSeconds: number;
  webhookLeaseSeconds: number;
  /** 0 if cash orders don't expire. */
  cashTtlSeconds: number;
  /** Whether payments are simulated if no provider is configured. Defaults to true outside production. */
  paymentSandbox: boolean;
  workers: number;
  /** Null if a worker answers no probes. */
  workerPort: number | null;
  trustProxy: number;
  stallSeconds: number;
  demo: boolean;
  logLevel: string;
  limits: Readonly<{
    accountFailures: number;
    messages: number;
    sms: Readonly<{ address: number; country: number }>;
    address: number;
    anonymous: number;
    checkout: CallLimit;
    subscribe: CallLimit;
    quote: CallLimit;
    cart: CallLimit;
    newCarts: number;
    mail: CallLimit;
    webhookTest: CallLimit;
  }>;
  /** Null if tracing is off. */
  tracing: TracingSettings | null;
  mailRate: number | null;
  mailLeaseSeconds: number;
}>;

export function loadConfig(env: Record<string, string | undefined>): Config {
  const readers = createReaders(env);
  const { read, integer, url, list, choice, pair, perUserAndAddress } = readers;
  const production = env.NODE_ENV === 'production';
  const dataDir = resolve(read('DATA_DIR') ?? './data');
  const databaseSettings = database(readers);
  const [smsAddress, smsCountry] = pair('LIMIT_SMS', '50/1000');
  const workers = read('WORKERS') === 'auto' ? availableParallelism() : integer('WORKERS', 1, 1, 64);
  const config: Config = {
    production,
    port: integer('PORT', 3000, 0, 65_535),
    host: read('HOST') ?? '127.0.0.1',
    publicUrl: withoutEnd(url('PUBLIC_URL', ['http:', 'https:']) ?? '', '/') || null,
    dataDir,
    database: databaseSettings,
    databasePool: integer('DATABASE_POOL', 16, 1, 500),
    secretKey: secretKey(read('SECRET_KEY'), production, dataDir),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: mailFrom(read('MAIL_FROM') ?? 'Souk <no-reply@localhost>'),
    bounces: bounceDomain(read('BOUNCE_DOMAIN'), integer('BOUNCE_PORT', 2525, 0, 65_535)),
    smsUrl: url('SMS_URL', ['twilio:', 'http:', 'https:']),
    oauth: oauth(readers),
    registration: choice('REGISTRATION', 'open', ['open', 'invited']) as 'open' | 'invited',
    allowedOrigins: list('ALLOWED_ORIGINS')?.map(origin) ?? null,
    allowedRedirects: list('ALLOWED_REDIRECTS') ?? [],
    storefrontHosts: choice('STOREFRONT_HOSTS', 'dns', ['dns', 'trust']) as 'dns' | 'trust',
    cdnPurge: cdnPurge(url('CDN_PURGE_URL', ['http:', 'https:']), read('CDN_PURGE_SECRET') ?? null),
    ai: ai(readers),
    stripeApiBase: url('STRIPE_API_BASE', ['http:', 'https:']),
    viesUrl: url('VIES_URL', ['http:', 'https:']) ?? DEFAULT_VIES_URL,
    // An empty value means no networks, even in development.
    outboundAllow: networks(
      list('OUTBOUND_ALLOW') ?? (production || env.OUTBOUND_ALLOW !== undefined ? [] : ['127.0.0.0/8', '::1']),
    ),
    dnsServers: list('DNS_SERVERS') ?? null,
    storage: storage(url('STORAGE_URL', ['s3:', 'file:']), dataDir),
    mediaMaxUploadBytes: integer('MEDIA_MAX_UPLOAD', 25, 1, 5120) * MEBIBYTE,
    mediaQuotaBytes: integer('MEDIA_QUOTA', 20_480, 1, 1_000_000_000) * MEBIBYTE,
    checkoutTtlSeconds: integer('CHECKOUT_TTL', 1800, 1, 604_800),
    eventsKeptDays: integer('EVENTS_KEPT', 90, 1, 36_500),
    versionsKept: integer('VERSIONS_KEPT', 50, 1, 1000),
    guestsKeptDays: integer('GUESTS_KEPT', 30, 1, 36_500),
    failedJobsKeptDays: integer('FAILED_JOBS_KEPT', 30, 1, 3650),
    webhookTimeoutSeconds: integer('WEBHOOK_TIMEOUT', 15, 1, 60),
    webhookLeaseSeconds: integer('WEBHOOK_LEASE', 30, 2, 600),
    webhookRetrySeconds: Object.freeze(
      (list('WEBHOOK_RETRY') ?? DEFAULT_WEBHOOK_RETRY.split(',')).map((text) => {
        if (/^\d{1,7}$/.test(text)) return Number(text);
        throw new SettingError(`WEBHOOK_RETRY must be a comma-separated list of whole seconds, not "${text}".`);
      }),
    ),
    cashTtlSeconds: integer('CASH_TTL', 604_800, 0, 31_536_000),
    paymentSandbox: choice('PAYMENT_SANDBOX', production ? '0' : '1', ['0', '1']) === '1',
    workers,
    workerPort: read('WORKER_PORT') ? integer('WORKER_PORT', 3001, 0, 65_535) : null,
    trustProxy: integer('TRUST_PROXY', 0, 0, 16),
    stallSeconds: integer('STALL_SECONDS', 20, 1, 3600),
    demo: choice('DEMO', databaseSettings ? '0' : '1', ['0', '1']) === '1',
    logLevel: choice('LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    limits: Object.freeze({
      accountFailures: integer('LIMIT_ACCOUNT_FAILURES', 10, 1, 1_000_000),
      messages: integer('LIMIT_MESSAGES', 5, 1, 1_000_000),
      sms: { address: smsAddress, country: smsCountry },
      address: integer('LIMIT_ADDRESS', 300, 1, 10_000_000),
      anonymous: integer('LIMIT_ANONYMOUS', 1000, 1, 10_000_000),
      checkout: perUserAndAddress('LIMIT_CHECKOUT', '600/3000'),
      subscribe: perUserAndAddress('LIMIT_SUBSCRIBE', '300/1500'),
      quote: perUserAndAddress('LIMIT_QUOTE', '3000/30000'),
      cart: perUserAndAddress('LIMIT_CART', '300/3000'),
      newCarts: integer('LIMIT_NEW_CARTS', 2000, 1, 10_000_000),
      mail: perUserAndAddress('LIMIT_MAIL', '20/100'),
      webhookTest: perUserAndAddress('LIMIT_WEBHOOK_TEST', '60/300'),
    }),
    tracing: tracing(readers),
    mailRate: read('MAIL_RATE') ? integer('MAIL_RATE', 1, 1, 1_000_000) : null,
    mailLeaseSeconds: integer('MAIL_LEASE', 15, 1, 3600),
  };
  return Object.freeze(config);
}
