import type { Readable } from 'node:stream';
import { lockName } from '../../db/lock-name.ts';
import { conflict, invalidField, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { listCustomersForExport } from '../businesses/index.ts';
import { listProductsForExport } from '../catalog/index.ts';
import { listCollectionDocs } from '../content/index.ts';
import { findMediaFile, inStore, type Spooled, spool } from '../media/index.ts';
import { listOrdersForExport } from '../orders/index.ts';
import { type Command, command, type Query, type Steps } from './context.ts';
import { HEAD_BYTES } from './conversion/detect.ts';
import { type Detected, detectFile, findIgnoredColumns } from './detect-file.ts';
import type { Conversion } from './formats/format.ts';
import { importsSubject } from './jobs.ts';
import { countOpenImports, type ImportRow, insertImport } from './queries.ts';
import { conversionFor } from './running/conversion.ts';
import type { Import, ImportQuery } from './schemas.ts';
import { endOfLastCharacter, type TextStats, textCheck } from './source/encoding.ts';
import { opener } from './stored-file.ts';
import { viewImport } from './view-import.ts';

const MAX_FILE_BYTES = 1024 * 1_048_576;
/** The maximum number of queued or running imports per business, and of concurrent uploads. */
export const MAX_OPEN = 3;

export type Received = { file: Spooled; stats: TextStats };
type NewImport = { query: ImportQuery; received: Received | null };

/** For a file in the media library, only the first bytes are checked. */
function statsOf(head: Buffer): TextStats {
  const check = textCheck();
  check.add(head.subarray(0, endOfLastCharacter(head)));
  return check.stats();
}

/** Spools the request body to disk with backpressure. */
export async function receiveImport(ctx: Steps, body: Readable): Promise<Received> {
  const check = textCheck();
  const file = await inStore(spool(ctx.media.temporaryFolder, body, MAX_FILE_BYTES, check.add));
  return { file, stats: check.stats() };
}

/**
 * The file is stored before the row that refers to it is inserted; files without a row are swept. The caller checks
 * permissions first.
 */
export const createImport = command({
  async prepare(ctx, { query, received }: NewImport): Promise<ImportRow> {
    await checkOpenImports(ctx);
    const id = newId('imp');
    const stored = await storedFile(ctx, id, query, received);
    const file = { ...stored, ...(received ? { path: received.file.path } : {}) };
    const head = await inStore(headOf(ctx, file));
    const detected = await detectFile(ctx, opener(ctx, file), {
      type: query.type,
      ...(query.encoding ? { encoding: query.encoding } : {}),
      head,
      stats: received?.stats ?? statsOf(head),
    });
    const options = await optionsOf(ctx, query, detected);
    const ignored = findIgnoredColumns(detected, await conversionFor(ctx, query.type, options));
    if (received) {
      await inStore(
        ctx.media.storage.putFile(stored.fileKey, received.file.path, { contentType: 'application/octet-stream' }),
      );
    }
    return {
      ...stored,
      businessId: ctx.businessId,
      id,
      type: query.type,
      format: detected.format.name,
      options,
      notes: detected.notes,
      ignored,
      dryRun: query.dryRun ?? false,
      status: 'QUEUED',
      error: null,
      position: 0,
      row: 0,
      errorCount: 0,
      warningCount: 0,
      interruptions: 0,
      slowRecords: 0,
      rows: 0,
      created: 0,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      failed: 0,
      userId: ctx.caller.userId,
      keyId: ctx.caller.keyId,
      createdAt: ctx.now,
      startedAt: null,
      completedAt: null,
    };
  },
  async execute(ctx, row): Promise<Import> {
    await lockName(ctx.db, `imports ${ctx.businessId}`);
    await checkOpenImports(ctx);
    await insertImport(ctx.db, row);
    await ctx.publish(importsSubject(ctx.businessId));
    const data = viewImport(row);
    ctx.emit({ type: 'import.created', entity: `import:${row.id}`, data });
    return { ...data, errors: [], warnings: [], pictures: { waiting: 0, fetched: 0, failed: 0 } };
  },
});

type Stored = Pick<ImportRow, 'fileKey' | 'mediaId' | 'fileName' | 'size'>;

export async function checkOpenImports(ctx: Query | Command): Promise<void> {
  if ((await countOpenImports(ctx.db, ctx.businessId)) < MAX_OPEN) return;
  throw conflict(
    `This business already has ${MAX_OPEN} imports queued or running. Wait until one finishes, or cancel one.`,
  );
}

async function storedFile(ctx: Steps, id: string, query: ImportQuery, received: Received | null): Promise<Stored> {
  if (query.mediaId !== undefined) {
    const found = await findMediaFile(ctx, query.mediaId);
    if (!found) throw notFound('Media file');
    if (found.size > MAX_FILE_BYTES) throw invalidField('mediaId', 'TOO_LARGE', 'Files can be at most 1 GiB.');
    return { fileKey: found.key, mediaId: query.mediaId, fileName: found.fileName, size: found.size };
  }
  if (!received || received.file.bytes === 0) {
    throw invalidField('file', 'REQUIRED', 'Send the file as the request body, or set mediaId.');
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
  for await (const chunk of body) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts);
}

/**
 * Combines how the file is parsed with the parameters of the request. Throws if the format requires a missing
 * parameter.
 */
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
  const names = to.markets.map(({ id, currency }) => `${id} (${currency.toUpperCase()})`).join(', ');
  const choice = names === '' ? 'Add a market in the business settings first.' : `Choose one of: ${names}.`;
  if (market !== undefined && !to.market) {
    throw invalidField('market', 'NOT_FOUND', `This market does not exist. ${choice}`);
  }
  const needsMarket = 'needsMarket' in format && columns && format.needsMarket?.(columns);
  if (!needsMarket || to.market) return;
  const problem =
    format.type === 'orders'
      ? 'The file does not state the currency of its orders, so a market is required.'
      : 'The prices in this file have no market.';
  throw invalidField('market', 'REQUIRED', `${problem} ${choice}`);
}

function checkCollection(
  { type, collectionId, consent }: ImportQuery,
  { format, columns }: Detected,
  to: Conversion,
): void {
  if (collectionId !== undefined && !to.collection)
    throw invalidField('collectionId', 'NOT_FOUND', 'This collection does not exist.');
  if (type === 'entries' && format.name !== 'souk' && !to.collection)
    throw invalidField('collectionId', 'REQUIRED', 'Choose the collection to import entries into.');
  if (type !== 'subscribers' || !('needsConsent' in format) || !columns) return;
  if (!to.collection)
    throw invalidField('collectionId', 'REQUIRED', 'Choose the newsletter to import subscribers into.');
  if (!consent && format.needsConsent!(columns))
    throw invalidField(
      'consent',
      'REQUIRED',
      'Set consent to a description of where and how the subscribers gave consent.',
    );
}

async function requireEmpty(ctx: Steps, { dryRun }: ImportQuery): Promise<void> {
  if (dryRun)
    throw invalidField(
      'dryRun',
      'INVALID_VALUE',
      'Dry runs are not available for a whole business. Import it into a new business instead and delete that business afterward.',
    );
  const { db, businessId } = ctx;
  const [products, customers, collections, orders] = await Promise.all([
    listProductsForExport(db, businessId, { after: '', limit: 1, publicUrl: '' }),
    listCustomersForExport(db, businessId, '', 1),
    listCollectionDocs(db, businessId, '', 1),
    listOrdersForExport(db, businessId, '', 1),
  ]);
  if (products.length + customers.length + collections.length + orders.length > 0) {
    throw conflict('A whole business can only be imported into an empty business. Create a new business first.');
  }
}
