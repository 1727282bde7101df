/** Import rules for the code that runs in browsers. */
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
      name: 'no-server-code',
      comment:
        'Browser code talks to the service through the client and the public API, so the server can change freely.',
      severity: 'error',
      from: { path: '^(admin|storefront|client|reference)/' },
      to: { path: '^(src|test|bench|scripts)/', pathNot: '^src/pages/assets/[^/]+\\.css$' },
    },
    {
      name: 'separate-bundles',
      comment: 'The admin, the shop and the reference are separate bundles. Shared code is in the client.',
      severity: 'error',
      from: { path: '^(admin|storefront|client|reference)/' },
      to: { path: '^(admin|storefront|reference)/', pathNot: '^$1/' },
    },
    {
      name: 'client-without-dependencies',
      comment: 'The client is published as a package without dependencies.',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { pathNot: '^client/src/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.min\\.js$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: `${__dirname}/admin/tsconfig.json` },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx'],
      conditionNames: ['import', 'types'],
      exportsFields: ['exports'],
    },
  },
};
