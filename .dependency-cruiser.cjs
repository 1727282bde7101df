/** Who may import whom. Each rule says why; the check fails on the first import that breaks one. */
const DOMAINS = [
  ...['events', 'businesses', 'accounts', 'webhooks', 'media', 'publishing', 'catalog', 'content'],
  ...['pricing', 'payments', 'orders', 'newsletters', 'stats', 'imports', 'privacy'],
];

/** A domain uses the domains below it, through their door. */
const upward = DOMAINS.map((domain, i) => ({
  name: `${domain}-looks-down-only`,
  comment: `Domains are layered (${DOMAINS.join(' < ')}): news goes up as events or callbacks handed over by app.ts.`,
  severity: 'error',
  from: { path: `^src/domains/${domain}/` },
  to: { path: `^src/domains/(${DOMAINS.slice(i + 1).join('|') || 'none'})/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'A circle of imports has no bottom: it cannot be understood piece by piece.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'shared-stands-alone',
      comment: 'shared/ is the ground floor: it knows nothing of the house above it.',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { path: '^src/', pathNot: '^src/shared/' },
    },
    {
      name: 'db-knows-only-shared',
      comment: 'The database layer serves every room and knows none.',
      severity: 'error',
      from: { path: '^src/db/' },
      to: { path: '^src/', pathNot: '^src/(shared|db)/' },
    },
    {
      name: 'tracing-on-demand',
      comment: 'OpenTelemetry is loaded when traces are wanted, by app.ts; everybody else knows shared/tracing.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tracing/' },
      to: { path: '^(src/tracing/|node_modules/@opentelemetry/)', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'providers-know-only-shared',
      comment: 'A provider wraps one outside service; what it is used for is not its business.',
      severity: 'error',
      from: { path: '^src/providers/' },
      to: { path: '^src/', pathNot: '^src/(shared|providers)/' },
    },
    {
      name: 'jobs-below-domains',
      comment: 'The queue carries work for domains without knowing them.',
      severity: 'error',
      from: { path: '^src/jobs/' },
      to: { path: '^src/', pathNot: '^src/(shared|db|jobs|providers)/' },
    },
    {
      name: 'http-knows-no-domain',
      comment: 'HTTP is the same for every domain; app.ts hands it what it needs.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/(domains|pages|app|processes)' },
    },
    {
      name: 'domains-through-the-door',
      comment: "A domain's index.ts is its door; its queries and use cases are its own.",
      severity: 'error',
      from: { path: '^src/domains/([^/]+)/' },
      to: { path: '^src/domains/([^/]+)/(?!index\\.ts$)', pathNot: '^src/domains/$1/' },
    },
    {
      name: 'only-routes-speak-http',
      comment: 'Use cases can be called from a job or a test: what belongs to HTTP stays in routes.ts.',
      severity: 'error',
      from: { path: '^src/domains/', pathNot: '/[a-z-]*routes\\.ts$' },
      to: { path: '^src/http/' },
    },
    {
      name: 'app-knows-doors-only',
      comment: 'app.ts wires doors and routes, not the insides of a domain.',
      severity: 'error',
      from: { path: '^src/(app|routes|demo|processes)' },
      to: { path: '^src/domains/[^/]+/', pathNot: '/(index|[a-z-]*routes)\\.ts$' },
    },
    {
      name: 'nobody-imports-the-wiring',
      comment: 'app.ts and routes.ts know all rooms, so no room may know them.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app|main|processes)\\.ts$' },
      to: { path: '^src/(app|routes|main|processes)\\.ts$' },
    },
    {
      name: 'pool-is-for-the-wiring',
      comment:
        'A use case that could reach the pool could wait for a second connection while it holds one. It gets its handle with its context.',
      severity: 'error',
      from: { path: '^src/(domains|pages|demo|http|providers|shared)/' },
      to: {
        path: '^src/db/',
        pathNot: '^src/db/(sql|errors|broadcast|idempotency|one-trip|limits|call-limits|lock-name)\\.ts$',
      },
    },
    {
      name: 'contexts-are-made-by-the-wiring',
      comment: 'Domains are handed contexts; who could make one could take a connection of its own.',
      severity: 'error',
      from: { path: '^src/domains/' },
      to: { path: '^src/context/(?!index\\.ts$)' },
    },
    ...upward,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts'], conditionNames: ['import', 'types', 'node'] },
  },
};
