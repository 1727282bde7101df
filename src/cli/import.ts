import { openAsBlob } from 'node:fs';
import { basename, extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Import } from '../domains/imports/index.ts';
import { counted } from '../shared/text/phrases.ts';
import type { Arguments } from './arguments.ts';
import { connect, type Remote } from './remote.ts';

const TYPES: Record<string, string> = { '.csv': 'text/csv', '.json': 'application/json' };
const POLL_MS = 500;

export async function runImport(args: Arguments): Promise<void> {
  const { value, has, file } = args;
  if (!file) throw new Error('Specify the file to import. Run souk import --help.');
  const remote = connect(args);
  const body = await openAsBlob(file, { type: TYPES[extname(file)] ?? 'application/x-ndjson' }).catch(() => {
    throw new Error(`Can't read ${file}.`);
  });
  const query = {
    type: value('type') ?? 'business',
    fileName: basename(file),
    dryRun: has('dry-run') ? 'true' : undefined,
    market: value('market'),
    collectionId: value('collection'),
    planId: value('plan'),
    consent: value('consent'),
    encoding: value('encoding'),
  };
  const created = (await (await remote.fetch('imports', query, { method: 'POST', body })).json()) as Import;
  report(await completed(remote, created));
}

async function completed(remote: Remote, started: Import): Promise<Import> {
  let current = started;
  while (['QUEUED', 'RUNNING'].includes(current.status) || current.pictures.waiting > 0) {
    await pause(POLL_MS);
    current = (await (await remote.fetch(`imports/${started.id}`, {})).json()) as Import;
  }
  return current;
}

/** Prints errors to standard error and sets the exit code to 1. */
function report({ id, status, created, updated, unchanged, skipped, failed, pictures, ...rest }: Import): void {
  const counts = { created, updated, unchanged, skipped, failed };
  const figures = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`${rest.dryRun ? 'Dry run' : 'Import'} ${id}: ${figures.join(', ')}.\n`);
  for (const note of rest.notes) process.stdout.write(`Note: ${note}\n`);
  for (const { row, field, message } of rest.errors) process.stderr.write(`Row ${row}, ${field}: ${message}\n`);
  if (rest.errorCount > rest.errors.length) process.stderr.write(`${counted(rest.errorCount, 'error')} in total.\n`);
  for (const { row, field, message } of rest.warnings)
    process.stdout.write(`Warning: row ${row}, ${field}: ${message}\n`);
  if (rest.warningCount > rest.warnings.length)
    process.stdout.write(`${counted(rest.warningCount, 'warning')} in total.\n`);
  if (pictures.failed > 0) process.stderr.write(`${counted(pictures.failed, 'image')} could not be downloaded.\n`);
  if (status !== 'DONE') throw new Error(`The import ended with status ${status}: ${rest.error ?? 'no reason given'}`);
  if (failed > 0 || rest.errorCount > 0) process.exitCode = 1;
}
