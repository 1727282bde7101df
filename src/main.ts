import cluster from 'node:cluster';
import { helpText, loadConfig } from './config.ts';

/** A start that fails says why in one line. */
function fail(error: unknown): never {
  process.stderr.write(`souk: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const [command = 'start', ...rest] = process.argv.slice(2);
  if ([command, ...rest].some((word) => ['--help', '-h', 'help'].includes(word))) {
    process.stdout.write(helpText());
    return;
  }
  const config = loadConfig(process.env);
  if (cluster.isWorker) return (await import('./processes.ts')).runHttpChild(config);
  if (command === 'start') return (await import('./processes.ts')).runStart(config);
  if (command === 'dev') return (await import('./processes.ts')).runDev(config);
  if (command === 'worker') return (await import('./processes.ts')).runWorker(config);
  if (command === 'migrate') return (await import('./processes.ts')).runMigrate(config);
  if (command === 'distribute') return (await import('./processes.ts')).runDistribute(config);
  if (command === 'rotate-keys') return (await import('./processes.ts')).runRotateKeys(config);
  throw new Error(`Unknown command "${command}". See npm start -- --help.`);
}

main().catch(fail);
