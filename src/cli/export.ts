import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Arguments } from './arguments.ts';
import { connect } from './remote.ts';

/** Writes to a `.partial` file and renames it when the export is complete. */
export async function runExport(args: Arguments): Promise<void> {
  const { value, file } = args;
  const type = value('type');
  for (const option of ['format', 'collection']) {
    if (!type && value(option)) throw new Error(`--${option} requires --type.`);
  }
  const query = { type, format: value('format'), collectionId: value('collection') };
  const { body } = await connect(args).fetch(type ? 'exports' : 'export', type ? query : {});
  const source = Readable.fromWeb(body as ReadableStream);
  if (!file) return pipeline(source, process.stdout, { end: false });
  const part = `${file}.partial`;
  try {
    await pipeline(source, createWriteStream(part, { mode: 0o600 }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new Error(`The export is incomplete: ${(error as Error).message}.`);
  }
  process.stdout.write(`Exported to ${file}.\n`);
}
