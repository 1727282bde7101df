/** Every setting with its default and description, as listed by `--help`. */
type Setting = { name: string; default: string; description: string };

export const DEFAULT_WEBHOOK_RETRY = '5,30,300,1800,7200,18000,36000,50400,72000,86400';

export const DEFAULT_VIES_URL = 'https://ec.europa.eu/taxation_customs/vies/rest-api';

export const SETTINGS: readonly Setting[] = [
  { name: 'PORT', default: '3000', description: 'Port to listen on. 0 picks a free port.' },
  { name: 'HOST', default: '127.0.0.1', description: 'Address to listen on.' },
  { name: 'PUBLIC_URL', default: 'http://HOST:PORT', description: 'Public base URL, used in all links.' },
  {
    name: 'DATA_DIR',
    default: './data',
    description: 'Folder for the embedded database, media, email outbox and secret key.',
  },
  {
    name: 'DATABASE_URL',
    default: 'embedded',
    description: 'postgres:// URL of a PostgreSQL server, version 15 or newer. The password can be set in PGPASSWORD.',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    default: 'DATABASE_URL',
    description: 'URL of PostgreSQL itself. Required if DATABASE_URL points to a pooler in transaction mode.',
  },
  {
    name: 'DATABASE_REPLICA_URL',
    default: 'none',
    description: 'URL of a read replica for lists, searches, statistics and exports.',
  },
  {
    name: 'DATABASE_PREPARE',
    default: 'on',
    description: 'Set to off if the pooler does not support prepared statements (PgBouncer before 1.21).',
  },
  {
    name: 'DATABASE_POOL',
    default: '16',
    description:
      'Maximum connections per process to each server (primary, replica, Citus node). At least 4 are used, or 5 with a pooler.',
  },
  {
    name: 'SECRET_KEY',
    default: 'generated',
    description: 'Encryption key for stored secrets, at least 32 characters. Required in production.',
  },
  { name: 'SMTP_URL', default: 'outbox', description: 'SMTP server: smtp(s)://user:pass@host:port.' },
  { name: 'MAIL_FROM', default: 'Souk <no-reply@localhost>', description: 'Default sender of emails.' },
  {
    name: 'BOUNCE_DOMAIN',
    default: 'off',
    description: 'Domain whose MX record points to this service. Mail servers send bounces and complaints to it.',
  },
  {
    name: 'BOUNCE_PORT',
    default: '2525',
    description: 'Port that receives bounces and complaints. Requires BOUNCE_DOMAIN.',
  },
  {
    name: 'SMS_URL',
    default: 'outbox',
    description: 'twilio://SID:TOKEN@FROM, or an http(s) URL that accepts POST {to, body}.',
  },
  { name: 'OAUTH_IDP_ISSUER', default: 'none', description: 'OpenID Connect issuer URL.' },
  { name: 'OAUTH_IDP_CLIENT_ID', default: 'none', description: 'Client ID issued by the identity provider.' },
  { name: 'OAUTH_IDP_CLIENT_SECRET', default: 'none', description: 'Client secret issued by the identity provider.' },
  { name: 'OAUTH_IDP_NAME', default: 'OAUTH_IDP', description: 'Provider name in API requests, for example GOOGLE.' },
  {
    name: 'OAUTH_IDP_TRUST_EMAIL',
    default: '0',
    description: 'Set to 1 to trust the email address from the provider if it sends no email_verified claim.',
  },
  {
    name: 'REGISTRATION',
    default: 'open',
    description: 'Who can register: open for anyone, invited for people with an invitation to a business.',
  },
  {
    name: 'ALLOWED_ORIGINS',
    default: 'PUBLIC_URL',
    description:
      'Comma-separated origins that are allowed in OAuth, passkeys, CORS, email links and checkout redirects. If not set outside production, CORS, email links and checkout redirects accept any origin.',
  },
  {
    name: 'ALLOWED_REDIRECTS',
    default: 'none',
    description: 'Comma-separated additional OAuth redirect URLs or URL prefixes.',
  },
  {
    name: 'STOREFRONT_HOSTS',
    default: 'dns',
    description:
      'How storefront hosts are verified: dns requires a TXT record; trust accepts any host except those of the service.',
  },
  {
    name: 'CDN_PURGE_URL',
    default: 'none',
    description: 'URL that receives POST {businessId, keys} after a change, to purge storefront pages from a CDN.',
  },
  {
    name: 'CDN_PURGE_SECRET',
    default: 'none',
    description:
      'Signing secret for calls to CDN_PURGE_URL, in the format of a webhook secret: whsec_ followed by at least 24 random bytes in Base64.',
  },
  { name: 'AI_BASE_URL', default: 'built in', description: 'Base URL of an OpenAI-compatible API.' },
  { name: 'AI_API_KEY', default: 'none', description: 'API key for AI_BASE_URL.' },
  { name: 'AI_MODEL', default: 'none', description: 'Model to use at AI_BASE_URL.' },
  { name: 'STRIPE_API_BASE', default: 'https://api.stripe.com', description: 'Base URL of the Stripe API, for tests.' },
  { name: 'VIES_URL', default: DEFAULT_VIES_URL, description: 'Base URL of the API that checks VAT IDs, for tests.' },
  {
    name: 'OUTBOUND_ALLOW',
    default: 'loopback; none in production',
    description:
      'Comma-separated private networks that webhooks, carriers, tax providers, single sign-on providers and media imports by URL can reach, for example 10.1.0.0/16. Set it to an empty value to allow none.',
  },
  {
    name: 'DNS_SERVERS',
    default: 'system default',
    description:
      'Comma-separated name servers that look up the DNS records of email domains, single sign-on domains and storefront hosts, for example 192.0.2.53:53.',
  },
  {
    name: 'STORAGE_URL',
    default: 'DATA_DIR/media',
    description: 'Media storage: s3://KEY:SECRET@host[:port]/bucket?region=…&scheme=…&publicUrl=… or file:///folder.',
  },
  {
    name: 'MEDIA_MAX_UPLOAD',
    default: '25',
    description: 'Maximum size in MiB of a file uploaded with a form or by URL.',
  },
  { name: 'MEDIA_QUOTA', default: '20480', description: 'Maximum media storage per business, in MiB.' },
  {
    name: 'CHECKOUT_TTL',
    default: '1800',
    description: 'Seconds until an unpaid card order expires and releases its stock.',
  },
  {
    name: 'VERSIONS_KEPT',
    default: '50',
    description: 'Versions to keep per entry and product, including the current one.',
  },
  { name: 'EVENTS_KEPT', default: '90', description: 'Days to keep events, webhook deliveries and the audit log.' },
  { name: 'GUESTS_KEPT', default: '30', description: 'Days until a guest without orders or subscriptions is deleted.' },
  {
    name: 'FAILED_JOBS_KEPT',
    default: '30',
    description: 'Days to keep jobs that failed permanently, for example undeliverable emails.',
  },
  {
    name: 'WEBHOOK_RETRY',
    default: DEFAULT_WEBHOOK_RETRY,
    description: 'Comma-separated delays in seconds before each webhook retry.',
  },
  { name: 'WEBHOOK_TIMEOUT', default: '15', description: 'Seconds until a webhook request times out.' },
  {
    name: 'WEBHOOK_LEASE',
    default: '30',
    description: 'Seconds until another process takes over webhook deliveries from a crashed process.',
  },
  { name: 'CASH_TTL', default: '604800', description: 'Seconds until an unpaid cash order expires. 0 means never.' },
  {
    name: 'PAYMENT_SANDBOX',
    default: '1; 0 in production',
    description: 'Set to 1 to simulate card payments if no payment provider is configured.',
  },
  {
    name: 'WORKER_PORT',
    default: 'none',
    description: 'Port on which a separate worker answers /healthz, /readyz and /metrics.',
  },
  { name: 'WORKERS', default: '1', description: 'Number of HTTP processes, or auto for one per CPU core.' },
  { name: 'TRUST_PROXY', default: '0', description: 'Number of trusted proxies that set X-Forwarded-For.' },
  {
    name: 'STALL_SECONDS',
    default: '20',
    description: 'Seconds until a client that stops reading its response or sending its upload is disconnected.',
  },
  {
    name: 'DEMO',
    default: '1 when embedded',
    description: 'Set to 1 to create a demo business and its admin in an empty database.',
  },
  { name: 'LOG_LEVEL', default: 'info', description: 'Log level: fatal, error, warn, info, debug, trace or silent.' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: 'none',
    description: 'OTLP/HTTP endpoint for traces, for example http://127.0.0.1:4318.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: 'none',
    description: 'Comma-separated name=value headers for the OTLP endpoint.',
  },
  { name: 'OTEL_SERVICE_NAME', default: 'souk', description: 'Service name in traces.' },
  { name: 'OTEL_TRACES_SAMPLER_ARG', default: '1', description: 'Fraction of new traces to send, from 0 to 1.' },
  {
    name: 'LIMIT_ACCOUNT_FAILURES',
    default: '10',
    description:
      'Failed logins or codes within 15 minutes, per account. Failed second factors are also limited to three times this number within 24 hours.',
  },
  {
    name: 'LIMIT_MESSAGES',
    default: '5',
    description:
      'Emails of one kind that anyone can trigger, such as links, invitations and order confirmations, per email address per hour. For login codes, per email address and IP address, with four times as many per email address. Also SMS messages per account, and per phone number, per hour.',
  },
  {
    name: 'LIMIT_SMS',
    default: '50/1000',
    description: 'SMS per hour, per requesting IP address / per destination country.',
  },
  {
    name: 'LIMIT_ADDRESS',
    default: '300',
    description:
      'Login, registration and password reset requests within 5 minutes, per IP address. Requests with unknown API keys are limited separately, to the same number.',
  },
  {
    name: 'LIMIT_ANONYMOUS',
    default: '1000',
    description:
      'Requests to public endpoints per second, per IP address, in each process. Each half millisecond of CPU time and each 16 KiB of a response count as another request.',
  },
  {
    name: 'LIMIT_CHECKOUT',
    default: '600/3000',
    description: 'Checkouts within 5 minutes, per user / per IP address.',
  },
  {
    name: 'LIMIT_SUBSCRIBE',
    default: '300/1500',
    description: 'Newsletter subscriptions and back-in-stock requests within 5 minutes, per user / per IP address.',
  },
  {
    name: 'LIMIT_QUOTE',
    default: '3000/30000',
    description: 'Quotes, shipping options and cart reads within 5 minutes, per user / per IP address.',
  },
  { name: 'LIMIT_CART', default: '300/3000', description: 'Cart changes within 5 minutes, per user / per IP address.' },
  {
    name: 'LIMIT_NEW_CARTS',
    default: '2000',
    description: 'New carts within 24 hours, per IP address. Members of the business are exempt.',
  },
  {
    name: 'LIMIT_MAIL',
    default: '20/100',
    description: 'Test emails, invitations and resent order emails within 5 minutes, per user / per IP address.',
  },
  {
    name: 'LIMIT_WEBHOOK_TEST',
    default: '60/300',
    description: 'Webhook tests within 5 minutes, per user / per IP address.',
  },
  { name: 'MAIL_RATE', default: 'none', description: 'Maximum newsletter emails per second, per process.' },
  {
    name: 'MAIL_LEASE',
    default: '15',
    description: 'Seconds until another worker takes over newsletter emails from a crashed worker.',
  },
];

export function settingsHelp(): string {
  const rows = SETTINGS.map(
    ({ name, default: value, description }) => `  ${name.padEnd(24)} ${description} [${value}]`,
  );
  return ['Settings are environment variables. Defaults are in brackets.', ...rows].join('\n');
}
