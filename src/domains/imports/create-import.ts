import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import type { StepsOf } from '../../context/index.ts';
import { lockName } from '../../db/lock-name.ts';
import { conflict, invalidField, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { listCustomersForExport } from '../businesses/index.ts';
import { listProductsForExport } from '../catalog/index.ts';
import { listCollectionDocs } from '../content/index.ts';
import { findMediaFile, inStore, type Spooled, spool } from '../media/index.ts';
import { listOrdersForExport } from '../orders/index.ts';
import type { Command, ImportServices, Steps } from './context.ts';
import { conversionFor } from './conversion.ts';
import { type Detected, detect, findIgnored, HEAD_BYTES } from './detect.ts';
import type { Conversion } from './formats/format.ts';
import { RUN_IMPORT } from './jobs.ts';
import { countOpenImports, type ImportRow, insertImport } from './queries.ts';
import type { Import, ImportQuery } from './schemas.ts';
import { utf8Check } from './source/source.ts';
import { opener } from './stored-file.ts';
import { viewImport } from './view-import.ts';

const MAX_FILE_BYTES = 1024 * 1_048_576;
/** Imports of one business that wait or run; also the files that it sends at once. */
export const MAX_OPEN = 3;
const MAX_NAMED = 30;

export type Received = { file: Spooled; isUtf8: boolean };
type NewImport = { query: ImportQuery; received: Received | null };

/** Takes the body of a request onto the disk, at the pace of the disk. */
export async function receiveImport(ctx: Steps, body: Readable): Promise<Received> {
  const check = utf8Check();
  const looked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      check.add(chunk);
      done(null, chunk);
    },
  });
  body.once('error', (error) => looked.destroy(error));
  const file = await inStore(spool(ctx.media.scraps, body.pipe(looked), MAX_FILE_BYTES));
  return { file, isUtf8: check.isValid() };
}

/** The file is in the store before the row names it; a file whose row is never written is swept. Permission is checked before. */
export const createImport: StepsOf<ImportServices, NewImport, ImportRow, Import, Import> = {
  async prepare(ctx, { query, received }) {
    await checkOpenImports(ctx);
    const id = newId('imp');
    const stored = await storedFile(ctx, id, query, received);
    const file = { ...stored, ...(received ? { path: received.file.path } : {}) };
    const head = await inStore(headOf(ctx, file));
    const detected = await inStore(
      detect(opener(ctx, file), head, received?.isUtf8 ?? true, query.type, ctx.imports.parseJson),
    );
    const options = await optionsOf(ctx, query, detected);
    const notes = [...detected.notes, ...(await ignoredNotes(ctx, query, { ...detected, options }))];
    if (received) {
      await inStore(
        ctx.media.storage.putFile(stored.fileKey, received.file.path, { contentType: 'application/octet-stream' }),
      );
    }
    return {
      ...stored,
      ...{ businessId: ctx.businessId, id, type: query.type, format: detected.format.name, options, notes },
      ...{ dryRun: query.dryRun ?? false, status: 'QUEUED', error: null, position: 0, row: 0, errorCount: 0 },
      ...{ rows: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
      ...{ userId: ctx.caller.userId, keyId: ctx.caller.keyId, createdAt: ctx.now, startedAt: null, completedAt: null },
    };
  },
  async execute(ctx, _input, row) {
    await lockName(ctx.db, `imports ${ctx.businessId}`);
    await checkOpenImports(ctx);
    await insertImport(ctx.db, row);
    await ctx.enqueue(RUN_IMPORT, { businessId: ctx.businessId, importId: row.id });
    const data = viewImport(row);
    await ctx.emit({ type: 'import.created', entity: `import:${row.id}`, data });
    return { ...data, errors: [], pictures: { waiting: 0, fetched: 0, failed: 0 } };
  },
  afterCommit: async (_ctx, result) => result,
};

type Stored = Pick<ImportRow, 'fileKey' | 'mediaId' | 'fileName' | 'size'>;

export async function checkOpenImports(ctx: Steps | Command): Promise<void> {
  if ((await countOpenImports(ctx.db, ctx.businessId)) < MAX_OPEN) return;
  throw conflict(`${MAX_OPEN} imports of this business wait or run. Wait for one of them, or cancel it.`);
}

async function storedFile(ctx: Steps, id: string, query: ImportQuery, received: Received | null): Promise<Stored> {
  if (query.mediaId !== undefined) {
    const found = await findMediaFile(ctx, query.mediaId);
    if (!found) throw notFound('Media');
    if (found.size > MAX_FILE_BYTES) throw invalidField('mediaId', 'TOO_LARGE', 'A file may have 1 GiB at most.');
    return { fileKey: found.key, mediaId: query.mediaId, fileName: found.fileName, size: found.size };
  }
  if (!received || received.file.bytes === 0) {
    throw invalidField('file', 'REQUIRED', 'Send the file as the body of the request, or name one with mediaId.');
  }
  const fileName = query.fileName?.trim() || 'file';
  return {
    fileKey: `imports/${ctx.businessId}/${id}`,
    mediaId: null,
    fileName,
    size: received.file.bytes,
  };
}

async function headOf(ctx: Steps, stored: Stored & { path?: string }): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  const body = await opener(ctx, stored)(0);
  if (Buffer.isBuffer(body)) return body.subarray(0, HEAD_BYTES);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts);
}

/** How the file is read, and what the caller said besides it. Raises where the format needs more. */
async function optionsOf(ctx: Steps, query: ImportQuery, detected: Detected): Promise<ImportRow['options']> {
  const { market, collectionId, planId, consent } = query;
  const options = {
    ...detected.options,
    ...(market === undefined ? {} : { market }),
    ...(collectionId === undefined ? {} : { collectionId }),
    ...(planId === undefined ? {} : { planId }),
    ...(consent === undefined ? {} : { consent }),
  };
  const to = await conversionFor(ctx, query.type, options);
  checkMarket(query, detected, to);
  checkCollection(query, detected, to);
  if (query.type === 'business') await requireEmpty(ctx, query);
  return options;
}

function checkMarket({ market }: ImportQuery, { format, columns }: Detected, to: Conversion): void {
  const names = to.markets.map(({ id }) => id).join(', ');
  if (market !== undefined && !to.market) {
    const choice = names === '' ? 'Add one in its settings first.' : `It has: ${names}.`;
    throw invalidField('market', 'NOT_FOUND', `The business has no such market. ${choice}`);
  }
  const needsMarket = 'needsMarket' in format && columns && format.needsMarket?.(columns);
  if (!needsMarket || to.market) return;
  throw invalidField(
    'market',
    'REQUIRED',
    names === ''
      ? 'Prices of this file name no market, and the business has none. Add a market in its settings first.'
      : `Prices of this file name no market. Say which one they are for: ${names}.`,
  );
}

function checkCollection({ type, collectionId, consent }: ImportQuery, { format }: Detected, to: Conversion): void {
  if (collectionId !== undefined && !to.collection)
    throw invalidField('collectionId', 'NOT_FOUND', 'collectionId names no collection of this business.');
  if (type === 'entries' && format.name !== 'souk' && !to.collection)
    throw invalidField('collectionId', 'REQUIRED', 'Say with collectionId where entries go.');
  if (format.name !== 'ghost-members') return;
  if (!to.collection)
    throw invalidField('collectionId', 'REQUIRED', 'Say with collectionId which newsletter they read.');
  if (!consent) throw invalidField('consent', 'REQUIRED', 'Say with consent where these people agreed.');
}

async function requireEmpty(ctx: Steps, { dryRun }: ImportQuery): Promise<void> {
  if (dryRun)
    throw invalidField(
      'dryRun',
      'INVALID_VALUE',
      'A whole business is not tried out: import it into a new one, which can be deleted.',
    );
  const { db, businessId } = ctx;
  const [products, customers, collections, orders] = await Promise.all([
    listProductsForExport(db, businessId, { after: '', limit: 1, publicUrl: '' }),
    listCustomersForExport(db, businessId, '', 1),
    listCollectionDocs(db, businessId, '', 1),
    listOrdersForExport(db, businessId, '', 1),
  ]);
  if (products.length + customers.length + collections.length + orders.length > 0) {
    throw conflict('A whole business is imported into an empty one. Make a new business for it.');
  }
}

async function ignoredNotes(ctx: Steps, query: ImportQuery, detected: Detected): Promise<string[]> {
  const ignored = findIgnored(detected, await conversionFor(ctx, query.type, detected.options));
  if (ignored.length === 0) return [];
  const what = detected.columns ? 'Columns' : 'Fields of the first record';
  const more = ignored.length > MAX_NAMED ? ` and ${ignored.length - MAX_NAMED} more` : '';
  const named = ignored.slice(0, MAX_NAMED).map((name) => name.slice(0, 60));
  return [`${what} that are not taken: ${named.join(', ')}${more}.`];
}
