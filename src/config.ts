/** The only reader of the environment: parsed once, frozen, and a wrong setting is one line that names it. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Network, parseNetwork } from './providers/outbound/addresses.ts';
import type { StorageSettings } from './providers/storage/port.ts';

export class SettingError extends Error {}

type Setting = { name: string; default: string; meaning: string };

const DEFAULT_WEBHOOK_RETRY = '5,30,300,1800,7200,18000,36000,50400,72000,86400';

export const SETTINGS: readonly Setting[] = [
  { name: 'PORT', default: '3000', meaning: 'Port to listen on; 0 takes a free one.' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address to listen on.' },
  { name: 'PUBLIC_URL', default: 'http://HOST:PORT', meaning: 'Base of every link the service hands out.' },
  { name: 'DATA_DIR', default: './data', meaning: 'Database, media, mail outbox and keys of the embedded mode.' },
  { name: 'DATABASE_URL', default: 'embedded', meaning: 'postgres://… of a PostgreSQL server, 15 or newer.' },
  { name: 'DATABASE_POOL', default: '10', meaning: 'Database connections of each process.' },
  {
    name: 'SECRET_KEY',
    default: 'generated',
    meaning: 'Master secret, 32 characters or more. Required in production.',
  },
  { name: 'SMTP_URL', default: 'outbox', meaning: 'smtp(s)://user:pass@host:port' },
  { name: 'MAIL_FROM', default: 'Souk <no-reply@localhost>', meaning: 'Sender of every mail.' },
  { name: 'SMS_URL', default: 'outbox', meaning: 'twilio://SID:TOKEN@FROM, or an http(s) URL that takes {to, body}.' },
  { name: 'OAUTH_IDP_ISSUER', default: 'none', meaning: 'OpenID Connect issuer.' },
  { name: 'OAUTH_IDP_CLIENT_ID', default: 'none', meaning: 'Client id at the issuer.' },
  { name: 'OAUTH_IDP_CLIENT_SECRET', default: 'none', meaning: 'Client secret at the issuer.' },
  { name: 'OAUTH_IDP_NAME', default: 'OAUTH_IDP', meaning: 'Provider name that clients send, such as GOOGLE.' },
  {
    name: 'OAUTH_IDP_TRUST_EMAIL',
    default: '0',
    meaning: '1: the provider vouches for e-mails although it sends no email_verified.',
  },
  {
    name: 'REGISTRATION',
    default: 'open',
    meaning: 'open, or invited: only who was invited to a business makes an account.',
  },
  { name: 'ALLOWED_ORIGINS', default: 'PUBLIC_URL', meaning: 'Comma list of origins for OAuth, links in mail, CORS.' },
  {
    name: 'ALLOWED_REDIRECTS',
    default: 'none',
    meaning: 'Comma list of further OAuth redirect addresses or prefixes.',
  },
  { name: 'AI_BASE_URL', default: 'built in', meaning: 'An OpenAI-compatible chat endpoint.' },
  { name: 'AI_API_KEY', default: 'none', meaning: 'Its key.' },
  { name: 'AI_MODEL', default: 'none', meaning: 'Its model.' },
  { name: 'STRIPE_API_BASE', default: "Stripe's own", meaning: 'Another address of the Stripe API, for tests.' },
  {
    name: 'OUTBOUND_ALLOW',
    default: 'loopback; none in production',
    meaning: 'Comma list of private networks that webhooks and media by URL may reach, such as 10.1.0.0/16.',
  },
  {
    name: 'STORAGE_URL',
    default: 'DATA_DIR/media',
    meaning: 'Where media lies: s3://KEY:SECRET@host[:port]/bucket?region=…&scheme=…&publicUrl=…, or file:///folder.',
  },
  { name: 'MEDIA_MAX_UPLOAD', default: '25', meaning: 'MiB of one file that is uploaded in a form or by URL.' },
  { name: 'MEDIA_QUOTA', default: '20480', meaning: 'MiB of media that one business may store.' },
  { name: 'CHECKOUT_TTL', default: '1800', meaning: 'Seconds an unpaid order holds its stock.' },
  { name: 'VERSIONS_KEPT', default: '50', meaning: 'Former versions that are kept of each entry and product.' },
  { name: 'EVENTS_KEPT', default: '90', meaning: 'Days that events and the audit are kept.' },
  {
    name: 'WEBHOOK_RETRY',
    default: DEFAULT_WEBHOOK_RETRY,
    meaning: 'Seconds until each further try of a webhook, a comma list.',
  },
  { name: 'WEBHOOK_TIMEOUT', default: '15', meaning: 'Seconds that a receiver of webhooks has to answer.' },
  {
    name: 'WEBHOOK_LEASE',
    default: '30',
    meaning: 'Seconds until others go on with the webhooks of a process that died.',
  },
  { name: 'CASH_TTL', default: '604800', meaning: 'Seconds an order paid in cash holds its stock; 0: for ever.' },
  { name: 'PAYMENT_SANDBOX', default: '0', meaning: 'In production: card payments without a provider, for trials.' },
  { name: 'WORKERS', default: '1', meaning: 'HTTP processes on this machine; auto: one per core.' },
  { name: 'TRUST_PROXY', default: '0', meaning: 'Proxies in front of the service whose X-Forwarded-For is believed.' },
  {
    name: 'STALL_SECONDS',
    default: '20',
    meaning: 'A client that takes nothing of its answer for this long is cut off.',
  },
  { name: 'DEMO', default: '1 when embedded', meaning: 'On an empty database: a demo business and its admin.' },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug, trace or silent.' },
  { name: 'LIMIT_ACCOUNT_FAILURES', default: '10', meaning: 'Failed logins or codes per account in 15 minutes.' },
  { name: 'LIMIT_MESSAGES', default: '5', meaning: 'Mails or SMS to one account or number in an hour.' },
  { name: 'LIMIT_SMS', default: '50/1000', meaning: 'SMS asked for by one address / to one country in an hour.' },
  { name: 'LIMIT_ADDRESS', default: '300', meaning: 'Account calls from one address in 5 minutes.' },
  { name: 'LIMIT_CHECKOUT', default: '600/3000', meaning: 'Checkouts per user / per address in 5 minutes.' },
  { name: 'LIMIT_SUBSCRIBE', default: '300/1500', meaning: 'Subscriptions asked for, likewise.' },
  { name: 'LIMIT_QUOTE', default: '3000/30000', meaning: 'Quotes, likewise.' },
  { name: 'LIMIT_MAIL', default: '20/100', meaning: 'Test mails and invitations, likewise.' },
  { name: 'MAIL_RATE', default: 'none', meaning: 'Most newsletter mails per second of each process.' },
  {
    name: 'MAIL_LEASE',
    default: '15',
    meaning: 'Seconds after which the newsletter mails of a worker that has died are taken over.',
  },
];

const MEBIBYTE = 1_048_576;

export type OAuthSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  name: string;
  trustEmail: boolean;
};
export type AiSettings = { baseUrl: string; apiKey: string | null; model: string };

/** Most calls in 5 minutes. */
export type CallLimit = Readonly<{ user: number; address: number }>;

export type Config = Readonly<{
  production: boolean;
  port: number;
  host: string;
  /** Null: made from host and port once the port is known. */
  publicUrl: string | null;
  dataDir: string;
  databaseUrl: string | null;
  databasePool: number;
  secretKey: string;
  smtpUrl: string | null;
  mailFrom: string;
  smsUrl: string | null;
  oauth: OAuthSettings | null;
  /** Who may make an account; guests always come in. */
  registration: 'open' | 'invited';
  /** Null: not set, so that links in mail may point anywhere outside production. */
  allowedOrigins: readonly string[] | null;
  allowedRedirects: readonly string[];
  ai: AiSettings | null;
  stripeApiBase: string | null;
  outboundAllow: readonly Network[];
  storage: StorageSettings;
  mediaMaxUploadBytes: number;
  mediaQuotaBytes: number;
  checkoutTtlSeconds: number;
  eventsKeptDays: number;
  versionsKept: number;
  webhookRetrySeconds: readonly number[];
  webhookTimeoutSeconds: number;
  webhookLeaseSeconds: number;
  /** 0: cash orders do not run out. */
  cashTtlSeconds: number;
  /** Whether payments are played through where no provider is set: always outside production. */
  paymentSandbox: boolean;
  workers: number;
  trustProxy: number;
  stallSeconds: number;
  demo: boolean;
  logLevel: string;
  limits: Readonly<{
    accountFailures: number;
    messages: number;
    sms: Readonly<{ address: number; country: number }>;
    address: number;
    checkout: CallLimit;
    subscribe: CallLimit;
    quote: CallLimit;
    mail: CallLimit;
  }>;
  mailRate: number | null;
  mailLeaseSeconds: number;
}>;

export function loadConfig(env: Record<string, string | undefined>): Config {
  const read = (name: string) => env[name]?.trim() || undefined;
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const text = read(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new SettingError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
    }
    return value;
  };
  const url = (name: string, protocols: string[]) => {
    const text = read(name);
    if (text === undefined) return null;
    const parsed = URL.parse(text);
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new SettingError(
        `${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
      );
    }
    return text;
  };
  const list = (name: string) =>
    read(name)
      ?.split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  const choice = (name: string, fallback: string, values: string[]) => {
    const value = read(name) ?? fallback;
    if (!values.includes(value)) throw new SettingError(`${name} must be one of ${values.join(', ')}, not "${value}".`);
    return value;
  };

  const pair = (name: string, fallback: string): [number, number] => {
    const text = read(name) ?? fallback;
    const [first, second] = /^[1-9]\d{0,7}\/[1-9]\d{0,7}$/.test(text) ? text.split('/').map(Number) : [];
    if (!first || !second) throw new SettingError(`${name} must be two whole numbers from 1 on, such as ${fallback}.`);
    return [first, second];
  };
  const perUserAndAddress = (name: string, fallback: string): CallLimit => {
    const [user, address] = pair(name, fallback);
    return { user, address };
  };

  const production = env.NODE_ENV === 'production';
  const dataDir = resolve(read('DATA_DIR') ?? './data');
  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const [smsAddress, smsCountry] = pair('LIMIT_SMS', '50/1000');
  const workers = read('WORKERS') === 'auto' ? availableParallelism() : integer('WORKERS', 1, 1, 64);
  const config: Config = {
    production,
    port: integer('PORT', 3000, 0, 65_535),
    host: read('HOST') ?? '127.0.0.1',
    publicUrl: url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    dataDir,
    databaseUrl,
    databasePool: integer('DATABASE_POOL', 10, 1, 500),
    secretKey: secretKey(read('SECRET_KEY'), production, dataDir),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: mailFrom(read('MAIL_FROM') ?? 'Souk <no-reply@localhost>'),
    smsUrl: url('SMS_URL', ['twilio:', 'http:', 'https:']),
    oauth: oauth(
      read,
      url('OAUTH_IDP_ISSUER', ['https:', 'http:']),
      choice('OAUTH_IDP_TRUST_EMAIL', '0', ['0', '1']) === '1',
    ),
    registration: choice('REGISTRATION', 'open', ['open', 'invited']) as 'open' | 'invited',
    allowedOrigins: list('ALLOWED_ORIGINS')?.map(origin) ?? null,
    allowedRedirects: list('ALLOWED_REDIRECTS') ?? [],
    ai: ai(read, url('AI_BASE_URL', ['http:', 'https:'])),
    stripeApiBase: url('STRIPE_API_BASE', ['http:', 'https:']),
    outboundAllow: networks(list('OUTBOUND_ALLOW') ?? (production ? [] : ['127.0.0.0/8', '::1'])),
    storage: storage(url('STORAGE_URL', ['s3:', 'file:']), dataDir),
    mediaMaxUploadBytes: integer('MEDIA_MAX_UPLOAD', 25, 1, 5120) * MEBIBYTE,
    mediaQuotaBytes: integer('MEDIA_QUOTA', 20_480, 1, 1_000_000_000) * MEBIBYTE,
    checkoutTtlSeconds: integer('CHECKOUT_TTL', 1800, 1, 604_800),
    eventsKeptDays: integer('EVENTS_KEPT', 90, 1, 36_500),
    versionsKept: integer('VERSIONS_KEPT', 50, 1, 1000),
    webhookTimeoutSeconds: integer('WEBHOOK_TIMEOUT', 15, 1, 60),
    webhookLeaseSeconds: integer('WEBHOOK_LEASE', 30, 2, 600),
    webhookRetrySeconds: Object.freeze(
      (list('WEBHOOK_RETRY') ?? DEFAULT_WEBHOOK_RETRY.split(',')).map((text) => {
        if (/^\d{1,7}$/.test(text)) return Number(text);
        throw new SettingError(`WEBHOOK_RETRY must list whole seconds, not "${text}".`);
      }),
    ),
    cashTtlSeconds: integer('CASH_TTL', 604_800, 0, 31_536_000),
    paymentSandbox: choice('PAYMENT_SANDBOX', production ? '0' : '1', ['0', '1']) === '1',
    workers,
    trustProxy: integer('TRUST_PROXY', 0, 0, 16),
    stallSeconds: integer('STALL_SECONDS', 20, 1, 3600),
    demo: choice('DEMO', databaseUrl ? '0' : '1', ['0', '1']) === '1',
    logLevel: choice('LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    limits: Object.freeze({
      accountFailures: integer('LIMIT_ACCOUNT_FAILURES', 10, 1, 1_000_000),
      messages: integer('LIMIT_MESSAGES', 5, 1, 1_000_000),
      sms: { address: smsAddress, country: smsCountry },
      address: integer('LIMIT_ADDRESS', 300, 1, 10_000_000),
      checkout: perUserAndAddress('LIMIT_CHECKOUT', '600/3000'),
      subscribe: perUserAndAddress('LIMIT_SUBSCRIBE', '300/1500'),
      quote: perUserAndAddress('LIMIT_QUOTE', '3000/30000'),
      mail: perUserAndAddress('LIMIT_MAIL', '20/100'),
    }),
    mailRate: read('MAIL_RATE') ? integer('MAIL_RATE', 1, 1, 1_000_000) : null,
    mailLeaseSeconds: integer('MAIL_LEASE', 15, 1, 3600),
  };
  return Object.freeze(config);
}

export function helpText(): string {
  const rows = SETTINGS.map(({ name, default: value, meaning }) => `  ${name.padEnd(24)} ${meaning} [${value}]`);
  return [
    'Souk: commerce, accounts and content in one service.',
    '',
    '  npm start                starts the service and its job worker',
    '  npm run dev              the same for development: restarts and reloads after each change',
    '  npm run worker           starts a job worker alone',
    '  npm run migrate          brings the database to this version',
    '  npm run rotate-keys      makes a new key for signing tokens',
    '',
    'Settings, from the environment [default]:',
    ...rows,
    '',
  ].join('\n');
}

function secretKey(given: string | undefined, production: boolean, dataDir: string): string {
  if (given !== undefined) {
    if (given.length < 32) throw new SettingError('SECRET_KEY must have 32 characters or more.');
    return given;
  }
  if (production) throw new SettingError('SECRET_KEY is required when NODE_ENV=production.');
  const file = join(dataDir, 'secret.key');
  let kept: string;
  try {
    if (!existsSync(file)) makeSecretFile(dataDir, file);
    kept = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new SettingError(`DATA_DIR cannot be used: ${(error as Error).message}.`);
  }
  if (kept.length < 32) throw new SettingError(`SECRET_KEY is not set, and the one kept in ${file} is damaged.`);
  return kept;
}

/** Appears with all its content or not at all; of two processes that start together the first one's stays. */
function makeSecretFile(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const part = `${file}.${process.pid}`;
  writeFileSync(part, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(part);
  }
}

function origin(text: string): string {
  const parsed = URL.parse(text);
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.pathname !== '/' || parsed.username) {
    throw new SettingError(`ALLOWED_ORIGINS must list origins such as https://shop.example, not "${text}".`);
  }
  return parsed.origin;
}

function mailFrom(text: string): string {
  if (/[\r\n]/.test(text) || !/^[^<>]*<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(text)) {
    throw new SettingError('MAIL_FROM must be an address such as Shop <hello@shop.example>.');
  }
  return text;
}

function oauth(
  read: (name: string) => string | undefined,
  issuer: string | null,
  trustEmail: boolean,
): OAuthSettings | null {
  if (issuer === null) return null;
  const clientId = read('OAUTH_IDP_CLIENT_ID');
  if (!clientId) throw new SettingError('OAUTH_IDP_CLIENT_ID is required with OAUTH_IDP_ISSUER.');
  return {
    issuer,
    clientId,
    clientSecret: read('OAUTH_IDP_CLIENT_SECRET') ?? null,
    name: read('OAUTH_IDP_NAME') ?? 'OAUTH_IDP',
    trustEmail,
  };
}

function ai(read: (name: string) => string | undefined, baseUrl: string | null): AiSettings | null {
  if (baseUrl === null) return null;
  const model = read('AI_MODEL');
  if (!model) throw new SettingError('AI_MODEL is required with AI_BASE_URL.');
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey: read('AI_API_KEY') ?? null, model };
}

function networks(texts: readonly string[]): Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (!network) throw new SettingError(`OUTBOUND_ALLOW must list networks such as 10.1.0.0/16, not "${text}".`);
    return network;
  });
}

function storage(text: string | null, dataDir: string): StorageSettings {
  if (text === null) return { type: 'disk', folder: join(dataDir, 'media'), publicUrl: null };
  const parsed = new URL(text);
  const publicUrl = parsed.searchParams.get('publicUrl')?.replace(/\/+$/, '') ?? null;
  if (publicUrl !== null && !/^https?:\/\/./.test(publicUrl)) {
    throw new SettingError('STORAGE_URL: publicUrl must begin with http:// or https://.');
  }
  if (parsed.protocol === 'file:') {
    if (parsed.host !== '') throw new SettingError('STORAGE_URL must be file:///folder, with three slashes.');
    parsed.search = '';
    return { type: 'disk', folder: fileURLToPath(parsed), publicUrl };
  }
  const bucket = parsed.pathname.replace(/^\/|\/$/g, '');
  const scheme = parsed.searchParams.get('scheme') ?? 'https';
  const [key, secret] = [parsed.username, parsed.password].map(decodeURIComponent) as [string, string];
  if (key === '' || secret === '') throw new SettingError('STORAGE_URL lacks KEY:SECRET@ before the host.');
  if (!/^[a-z0-9][a-z0-9.-]{1,62}$/.test(bucket)) throw new SettingError('STORAGE_URL must end with /bucket.');
  if (scheme !== 'http' && scheme !== 'https') throw new SettingError('STORAGE_URL: scheme must be http or https.');
  const region = parsed.searchParams.get('region') ?? 'us-east-1';
  return { type: 's3', endpoint: `${scheme}://${parsed.host}`, bucket, region, key, secret, publicUrl };
}
