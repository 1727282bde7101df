/** Fetches the files that imported products and entries refer to by URL, after the records are saved. */
import { isTemporary, ServiceError } from '../../../shared/errors.ts';
import { isId } from '../../../shared/ids.ts';
import { refreshProductMedia } from '../../catalog/index.ts';
import { refreshEntryMedia } from '../../content/index.ts';
import { BadFile, findUsedMedia, type MediaRow, uploadByUrl } from '../../media/index.ts';
import type { Steps } from '../context.ts';
import { rowError } from '../formats/format.ts';
import { FETCH_IMAGES } from '../jobs.ts';
import { findImport, insertErrors } from '../queries.ts';
import {
  findAddresses,
  listWaiting,
  listWaitingAddresses,
  markImages,
  saveAddress,
  type WaitingAddress,
} from './queries.ts';

const SLICE_MS = 60_000;
const URLS = 20;
const RECORDS = 200;

/** Runs for up to a minute, then schedules another task for the rest, so that other businesses get their turn. */
export async function fetchImages(ctx: Steps): Promise<void> {
  const until = Date.now() + SLICE_MS;
  for (;;) {
    const waiting = await listWaitingAddresses(ctx.db, ctx.businessId, URLS);
    if (waiting.length === 0) return;
    for (const each of waiting) {
      if (ctx.signal.aborted || Date.now() > until) {
        return ctx.transaction((tx) => tx.enqueue(FETCH_IMAGES, {}, { key: FETCH_IMAGES }));
      }
      await fetchImage(ctx, each);
    }
  }
}

async function fetchImage(ctx: Steps, waiting: WaitingAddress): Promise<void> {
  const { addressId, url, importId } = waiting;
  const known = (await findAddresses(ctx.db, ctx.businessId, [addressId])).get(addressId);
  let mediaId = known;
  if (mediaId === undefined) {
    const { userId } = (await findImport(ctx.db, ctx.businessId, importId))!;
    const { isInGallery = false, ...details } = waiting.details;
    const metadata = { ...details, alt: waiting.alt || {} };
    const row = await uploadByUrl(ctx, url, { createdBy: userId, isVisual: isInGallery, ...metadata }).catch((error) =>
      unusableImage(error),
    );
    if ('reason' in row) return markFailed(ctx, waiting, row.reason);
    mediaId = row.id;
  }
  await setInRecords(ctx, addressId, mediaId);
}

/** Returns why the image itself is unusable. Rethrows any other error so that the task is retried. */
function unusableImage(error: unknown): { reason: string } {
  if (error instanceof BadFile) return { reason: `The image ${error.message}` };
  if (error instanceof ServiceError && !isTemporary(error)) return { reason: error.message };
  throw error;
}

async function markFailed(ctx: Steps, { addressId, url }: WaitingAddress, message: string): Promise<void> {
  for (;;) {
    const batch = await listWaiting(ctx.db, ctx.businessId, addressId, RECORDS);
    if (batch.length === 0) return;
    await ctx.transaction(async (tx) => {
      const imports = Map.groupBy(batch, ({ importId }) => importId);
      for (const [importId, rows] of [...imports].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const shown = url.length > 120 ? `${url.slice(0, 120)}…` : url;
        await insertErrors(
          tx.db,
          ctx.businessId,
          importId,
          'ERROR',
          rows.map(({ row }) => rowError(row, 'image', 'NOT_FETCHED', `${message} URL: ${shown}`)),
        );
      }
      await markImages(
        tx.db,
        ctx.businessId,
        addressId,
        batch.map(({ recordId }) => recordId),
        'FAILED',
      );
    });
  }
}

/**
 * Sets the file in all records that wait for it. The first records are updated together with the saved URL, so that a
 * concurrent import always finds one of them. If the file was deleted from the library in the meantime, the records
 * keep waiting and it is fetched again.
 */
async function setInRecords(ctx: Steps, addressId: string, mediaId: MediaRow['id']): Promise<void> {
  for (let exists = true; exists; ) {
    const batch = await listWaiting(ctx.db, ctx.businessId, addressId, RECORDS);
    if (batch.length === 0) return;
    exists = await ctx.transaction(async (tx) => {
      await saveAddress(tx.db, ctx.businessId, addressId, mediaId);
      const to = (await findUsedMedia(tx, [mediaId])).get(mediaId);
      if (!to) return false;
      const ids = [...new Set(batch.map(({ recordId }) => recordId))];
      const isEntry = (id: string) => isId('ent', id);
      // In the same lock order as an import: products before entries.
      const file = { mediaId: addressId, current: async () => to };
      for (const id of ids.filter((each) => !isEntry(each))) await refreshProductMedia(tx, { id, ...file });
      for (const id of ids.filter(isEntry)) await refreshEntryMedia(tx, { id, ...file });
      await markImages(tx.db, ctx.businessId, addressId, ids, 'DONE');
      return true;
    });
  }
}
