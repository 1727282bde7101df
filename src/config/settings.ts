/** Every setting with its default and meaning, as `--help` lists them. */
type Setting = { name: string; default: string; meaning: string };

export const DEFAULT_WEBHOOK_RETRY = '5,30,300,1800,7200,18000,36000,50400,72000,86400';

export const SETTINGS: readonly Setting[] = [
  { name: 'PORT', default: '3000', meaning: 'Port to listen on; 0 takes a free one.' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address to listen on.' },
  { name: 'PUBLIC_URL', default: 'http://HOST:PORT', meaning: 'Base of every link the service hands out.' },
  { name: 'DATA_DIR', default: './data', meaning: 'Database, media, mail outbox and keys of the embedded mode.' },
  {
    name: 'DATABASE_URL',
    default: 'embedded',
    meaning: 'postgres://… of a PostgreSQL server, 15 or newer. Its password may stand in PGPASSWORD instead.',
  },
  {
    name: 'DATABASE_DIRECT_URL',
    default: 'DATABASE_URL',
    meaning: 'PostgreSQL itself, when DATABASE_URL leads to a pooler in transaction mode.',
  },
  {
    name: 'DATABASE_PREPARE',
    default: 'on',
    meaning: 'off: the pooler knows no prepared statements (PgBouncer < 1.21).',
  },
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
    meaning:
      'Comma list of private networks that webhooks and media by URL may reach, such as 10.1.0.0/16; empty: none.',
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
  { name: 'EVENTS_KEPT', default: '90', meaning: 'Days that events, their webhook deliveries and the audit are kept.' },
  { name: 'GUESTS_KEPT', default: '30', meaning: 'Days after which guests who own nothing are deleted.' },
  {
    name: 'FAILED_JOBS_KEPT',
    default: '30',
    meaning: 'Days that work is kept that failed for good, such as mails that nobody took.',
  },
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
  { name: 'PAYMENT_SANDBOX', default: '1; 0 in production', meaning: 'Card payments without a provider, for trials.' },
  { name: 'WORKERS', default: '1', meaning: 'HTTP processes on this machine; auto: one per core.' },
  { name: 'TRUST_PROXY', default: '0', meaning: 'Proxies in front of the service whose X-Forwarded-For is believed.' },
  {
    name: 'STALL_SECONDS',
    default: '20',
    meaning: 'A client that takes nothing of its answer for this long is cut off.',
  },
  { name: 'DEMO', default: '1 when embedded', meaning: 'On an empty database: a demo business and its admin.' },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug, trace or silent.' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: 'none',
    meaning: 'Where traces are sent to (OTLP over HTTP), such as http://127.0.0.1:4318.',
  },
  { name: 'OTEL_EXPORTER_OTLP_HEADERS', default: 'none', meaning: 'Comma list of name=value that is sent along.' },
  { name: 'OTEL_SERVICE_NAME', default: 'souk', meaning: 'What traces call this service.' },
  { name: 'OTEL_TRACES_SAMPLER_ARG', default: '1', meaning: 'Share of the traces begun here that is sent, 0 to 1.' },
  { name: 'LIMIT_ACCOUNT_FAILURES', default: '10', meaning: 'Failed logins or codes per account in 15 minutes.' },
  { name: 'LIMIT_MESSAGES', default: '5', meaning: 'Mails or SMS to one account or number in an hour.' },
  { name: 'LIMIT_SMS', default: '50/1000', meaning: 'SMS asked for by one address / to one country in an hour.' },
  { name: 'LIMIT_ADDRESS', default: '300', meaning: 'Account calls from one address in 5 minutes.' },
  { name: 'LIMIT_CHECKOUT', default: '600/3000', meaning: 'Checkouts per user / per address in 5 minutes.' },
  { name: 'LIMIT_SUBSCRIBE', default: '300/1500', meaning: 'Subscriptions asked for, likewise.' },
  { name: 'LIMIT_QUOTE', default: '3000/30000', meaning: 'Quotes, likewise.' },
  { name: 'LIMIT_MAIL', default: '20/100', meaning: 'Test mails and invitations, likewise.' },
  { name: 'LIMIT_WEBHOOK_TEST', default: '60/300', meaning: 'Test calls of webhooks, likewise.' },
  { name: 'MAIL_RATE', default: 'none', meaning: 'Most newsletter mails per second of each process.' },
  {
    name: 'MAIL_LEASE',
    default: '15',
    meaning: 'Seconds after which the newsletter mails of a worker that has died are taken over.',
  },
];

export function helpText(): string {
  const rows = SETTINGS.map(({ name, default: value, meaning }) => `  ${name.padEnd(24)} ${meaning} [${value}]`);
  return [
    'Souk: commerce, accounts and content in one service.',
    '',
    '  npm start                starts the service and its job worker',
    '  npm run dev              the same for development: restarts and reloads after each change',
    '  npm run worker           starts a job worker alone',
    '  npm run migrate          brings the database to this version',
    '  npm run distribute       spreads the tables of businesses over a Citus cluster',
    '  npm run rotate-keys      makes a new key for signing tokens',
    '',
    'Settings, from the environment [default]:',
    ...rows,
    '',
  ].join('\n');
}
