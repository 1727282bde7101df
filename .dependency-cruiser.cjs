/** Allowed imports. Each rule states its reason. The check fails on the first import that breaks a rule. */
const DOMAINS = [
  ...['events', 'businesses', 'accounts', 'webhooks', 'media', 'publishing', 'redirects', 'catalog', 'content'],
  ...['pricing', 'carts', 'payments', 'orders', 'newsletters', 'stats', 'imports', 'privacy'],
];

/** A domain uses the domains below it, through their index.ts. */
const upward = DOMAINS.map((domain, i) => ({
  name: `${domain}-imports-lower-domains-only`,
  comment: `Domains are layered (${DOMAINS.join(' < ')}): lower domains notify higher ones through events or callbacks that services.ts passes in.`,
  severity: 'error',
  from: { path: `^src/domains/${domain}/` },
  to: { path: `^src/domains/(${DOMAINS.slice(i + 1).join('|') || 'none'})/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Modules that import each other, even only for types, cannot be understood one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'shared-is-lowest-layer',
      comment: 'shared/ is the lowest layer and depends on nothing else in src/.',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { path: '^src/', pathNot: '^src/shared/' },
    },
    {
      name: 'db-imports-only-shared',
      comment: 'The database layer serves every domain and depends on none.',
      severity: 'error',
      from: { path: '^src/db/' },
      to: { path: '^src/', pathNot: '^src/(shared|db)/' },
    },
    {
      name: 'tracing-on-demand',
      comment: 'app.ts loads OpenTelemetry only if tracing is enabled. All other code uses shared/tracing.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tracing/' },
      to: { path: '^(src/tracing/|node_modules/@opentelemetry/)', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'providers-import-only-shared',
      comment: 'A provider wraps one external service and does not depend on its callers.',
      severity: 'error',
      from: { path: '^src/providers/' },
      to: { path: '^src/', pathNot: '^src/(shared|providers)/' },
    },
    {
      name: 'jobs-below-domains',
      comment: 'The queue runs work for domains without depending on them.',
      severity: 'error',
      from: { path: '^src/jobs/' },
      to: { path: '^src/', pathNot: '^src/(shared|db|jobs|providers)/' },
    },
    {
      name: 'http-imports-no-domain',
      comment: 'The HTTP layer is the same for every domain; app.ts passes in its dependencies.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/(domains|pages|app|services|messaging|processes)' },
    },
    {
      name: 'domains-through-index',
      comment: "A domain's index.ts is its public interface. Its queries and use cases are private.",
      severity: 'error',
      from: { path: '^src/domains/([^/]+)/' },
      to: { path: '^src/domains/([^/]+)/(?!index\\.ts$)', pathNot: '^src/domains/$1/' },
    },
    {
      name: 'http-only-in-routes',
      comment: 'Use cases can be called from a job or a test, so HTTP code stays in routes.ts.',
      severity: 'error',
      from: { path: '^src/domains/', pathNot: '/[a-z-]*routes\\.ts$' },
      to: { path: '^src/http/' },
    },
    {
      name: 'app-through-index',
      comment: 'app.ts wires public interfaces and routes, not the internals of a domain.',
      severity: 'error',
      from: { path: '^src/(app|services|messaging|routes|demo|processes)' },
      to: { path: '^src/domains/[^/]+/', pathNot: '/(index|[a-z-]*routes)\\.ts$' },
    },
    {
      name: 'no-imports-of-wiring',
      comment: 'These files depend on every domain, so no domain may depend on them.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app|main|processes|cli/[a-z]+)\\.ts$' },
      to: { path: '^src/(app|services|messaging|open-database|routes|main|processes)\\.ts$' },
    },
    {
      name: 'pool-only-in-wiring',
      comment:
        'A use case that could reach the pool could wait for a second connection while it holds one. It gets its handle with its context.',
      severity: 'error',
      from: { path: '^src/(domains|pages|demo|http|providers|shared)/' },
      to: {
        path: '^src/db/',
        pathNot:
          '^src/db/(sql|errors|broadcast|mirror|flush|idempotency|pipeline|limits|call-limits|count|lock-name|prepare-scan)\\.ts$',
      },
    },
    {
      name: 'contexts-only-in-wiring',
      comment: 'Domains receive contexts. Code that creates one could take a second connection.',
      severity: 'error',
      from: { path: '^src/(domains|pages|demo)/' },
      to: { path: '^src/context/create\\.ts$' },
    },
    {
      name: 'commands-run-from-outside',
      comment:
        'A command that ran another one would have two transactions and one Idempotency-Key. Domains call functions.',
      severity: 'error',
      from: { path: '^src/(domains|pages)/' },
      to: { path: '^src/context/run-command\\.ts$' },
    },
    {
      name: 'tests-are-not-shipped',
      comment: 'The service runs without test/, bench/ and scripts/.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'no-imports-between-tests',
      comment: 'Each test file runs alone. Code that several of them need goes in a separate file next to them.',
      severity: 'error',
      from: { path: '^test/' },
      to: { path: '\\.test\\.ts$' },
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
