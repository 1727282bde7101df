import type { ParseArgsConfig } from 'node:util';
import { type Config, loadConfig } from '../config.ts';
import type { Arguments } from './arguments.ts';

export type Command = {
  summary: string;
  /** Arguments, as shown in the usage line. */
  usage?: string;
  details?: readonly string[];
  options?: NonNullable<ParseArgsConfig['options']>;
  /** Maximum number of file or folder arguments. */
  files?: number;
  /** Whether the help lists the settings. */
  hasSettings?: boolean;
  run(args: Arguments): Promise<void>;
};

/** Runs a function from processes.ts. Imported lazily, because it loads the whole service. */
const service =
  (run: (processes: typeof import('../processes.ts'), config: Config) => Promise<void>): Command['run'] =>
  async () => {
    const config = loadConfig(process.env);
    await run(await import('../processes.ts'), config);
  };

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The values that `souk start` prints when it creates the demo shop. */
const connection = { url: text, business: text, key: text };
const CONNECTION = [
  '--url URL         URL of Souk. Default: environment variable SOUK, or http://127.0.0.1:3000',
  '--business ID     business ID. Default: environment variable BUSINESS',
  '--key KEY         API key. Default: environment variable KEY, which keeps it out of the process list',
];

export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    summary: 'Start the service with a job worker',
    details: ['Without DATABASE_URL, runs an embedded PostgreSQL in DATA_DIR. Stop with Ctrl-C or SIGTERM.'],
    hasSettings: true,
    run: service((processes, config) => processes.runStart(config)),
  },
  dev: {
    summary: 'Start the service for development',
    details: ['Runs a single process. In a clone of the repository, pages reload when their sources change.'],
    hasSettings: true,
    run: service((processes, config) => processes.runDev(config)),
  },
  worker: {
    summary: 'Start a job worker without an HTTP server',
    details: ['Requires DATABASE_URL.'],
    hasSettings: true,
    run: service((processes, config) => processes.runWorker(config)),
  },
  migrate: {
    summary: 'Apply pending migrations',
    details: [
      'start and worker also apply migrations. For an upgrade, run migrate before you replace the running processes.',
    ],
    run: service((processes, config) => processes.runMigrate(config)),
  },
  distribute: {
    summary: 'Distribute the tables across a Citus cluster',
    details: ['DATABASE_URL must point to the coordinator.'],
    run: service((processes, config) => processes.runDistribute(config)),
  },
  'rotate-keys': {
    summary: 'Create a new token signing key',
    details: ['Existing tokens stay valid.'],
    run: service((processes, config) => processes.runRotateKeys(config)),
  },
  'reset-factors': {
    summary: 'Remove the second factors of an account',
    usage: 'EMAIL',
    details: [
      'For someone who has lost their passkeys, authenticator app and recovery codes. Verify who they are first.',
      'Also ends their sessions. They get an email and can log in with their password.',
    ],
    files: 1,
    run: async ({ file: email }) => {
      if (!email) throw new Error("Specify the account's email address. Run souk reset-factors --help.");
      await (await import('../processes.ts')).runResetFactors(loadConfig(process.env), email);
    },
  },
  export: {
    summary: 'Export a business from a running service',
    usage: '[FILE] [options]',
    details: [
      'Writes to FILE or, without FILE, to standard output. Without --type, exports the whole business as NDJSON.',
      '',
      '--type TYPE       products, customers, orders, subscribers or entries',
      '--format FORMAT   csv or ndjson, with --type. Default: csv',
      '--collection ID   only the entries or subscribers of this collection',
      ...CONNECTION,
    ],
    options: { ...connection, type: text, format: text, collection: text },
    files: 1,
    run: async (args) => (await import('./export.ts')).runExport(args),
  },
  import: {
    summary: 'Import a file into a running service',
    usage: 'FILE [options]',
    details: [
      'Reads exports from Souk, Shopify, WooCommerce, Medusa, Ghost, Strapi and newsletter tools. Waits until the import',
      'is done.',
      '',
      '--type TYPE       products, customers, orders, subscribers, entries or business. Default: business',
      '--dry-run         report changes without writing them. Not available for type business',
      "--market ID       market for prices that don't specify one",
      '--collection ID   collection for entries, or newsletter for subscribers',
      '--plan ID         plan for subscribers without a plan',
      '--consent TEXT    where and how subscribers gave consent, if the file has no consent column',
      '--encoding NAME   character encoding of the file, such as shift_jis. Default: detected',
      ...CONNECTION,
    ],
    options: {
      ...connection,
      type: text,
      'dry-run': flag,
      market: text,
      collection: text,
      plan: text,
      consent: text,
      encoding: text,
    },
    files: 1,
    run: async (args) => (await import('./import.ts')).runImport(args),
  },
  backup: {
    summary: 'Back up the database and media to a folder',
    usage: '[FOLDER]',
    details: [
      'Copies the embedded database, media, keys and email outbox. The backup is consistent even while the service runs.',
      'Default FOLDER: souk-backup-DATE. The backup contains secrets, so keep it private.',
      'With DATABASE_URL, copies only files and prints the pg_dump command for the database.',
    ],
    files: 1,
    run: async (args) => (await import('./backup.ts')).runBackup(args),
  },
  restore: {
    summary: 'Restore a backup',
    usage: 'FOLDER [--force]',
    details: [
      'Restores to DATA_DIR, and media to the folder in STORAGE_URL. Stop the service first.',
      '',
      '--force           replace the contents of folders that are not empty',
    ],
    options: { force: flag },
    files: 1,
    run: async (args) => (await import('./restore.ts')).runRestore(args),
  },
};
