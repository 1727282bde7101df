/** Fetches the files that imported products and entries name by address, after the records are there. */
import { isPassing, ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { setPicture } from '../catalog/index.ts';
import { setEntryMedia } from '../content/index.ts';
import { BadFile, findUsedMedia, type MediaRow, uploadByUrl } from '../media/index.ts';
import type { Steps } from './context.ts';
import { type NamedPicture, wrong } from './formats/format.ts';
import { FETCH_PICTURES } from './jobs.ts';
import { findAddresses, listWaiting, listWaitingAddresses, markPictures, saveAddress } from './picture-queries.ts';
import { findImport, insertErrors } from './queries.ts';

const SLICE_MS = 60_000;
const ADDRESSES = 20;
const RECORDS = 200;

/** `alt` and `details`: as JSON. */
type Waiting = { addressId: string; url: string; importId: string; alt: string; details: string };

/** For a minute; then the rest is enqueued, so that other businesses have their share. */
export async function fetchPictures(ctx: Steps): Promise<void> {
  const until = Date.now() + SLICE_MS;
  for (;;) {
    const waiting = await listWaitingAddresses(ctx.db, ctx.businessId, ADDRESSES);
    if (waiting.length === 0) return;
    for (const each of waiting) {
      if (ctx.signal.aborted || Date.now() > until) {
        return ctx.transaction((tx) =>
          tx.enqueue(FETCH_PICTURES, { businessId: ctx.businessId }, { key: ctx.businessId }),
        );
      }
      await fetchPicture(ctx, each);
    }
  }
}

async function fetchPicture(ctx: Steps, waiting: Waiting): Promise<void> {
  const { addressId, url, importId } = waiting;
  const known = (await findAddresses(ctx.db, ctx.businessId, [addressId])).get(addressId);
  let mediaId = known;
  if (mediaId === undefined) {
    const { userId } = (await findImport(ctx.db, ctx.businessId, importId))!;
    const details: Pick<NamedPicture, 'title' | 'focalPoint' | 'fileName'> = JSON.parse(waiting.details);
    const about = { ...details, alt: JSON.parse(waiting.alt) || {} };
    const row = await uploadByUrl(ctx, url, { createdBy: userId, ...about }).catch((error) => refusalOf(error));
    if ('refused' in row) return refuse(ctx, waiting, row.refused);
    mediaId = row.id;
  }
  await setEverywhere(ctx, addressId, mediaId);
}

/** What is wrong with the picture itself. Any other error is raised, and the job tries again. */
function refusalOf(error: unknown): { refused: string } {
  if (error instanceof BadFile) return { refused: `The picture ${error.message}` };
  if (error instanceof ServiceError && !isPassing(error)) return { refused: error.message };
  throw error;
}

async function refuse(ctx: Steps, { addressId, url }: Waiting, message: string): Promise<void> {
  for (;;) {
    const some = await listWaiting(ctx.db, ctx.businessId, addressId, RECORDS);
    if (some.length === 0) return;
    await ctx.transaction(async (tx) => {
      const imports = Map.groupBy(some, ({ importId }) => importId);
      for (const [importId, rows] of [...imports].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const field = url.length > 120 ? `${url.slice(0, 120)}…` : url;
        await insertErrors(
          tx.db,
          ctx.businessId,
          importId,
          rows.map(({ row }) => wrong(row, 'picture', 'NOT_FETCHED', `${message} ${field}`)),
        );
      }
      await markPictures(
        tx.db,
        ctx.businessId,
        addressId,
        some.map(({ recordId }) => recordId),
        'FAILED',
      );
    });
  }
}

/**
 * In all records that wait for it. The first of them are told together with the address, so that no import in between finds neither.
 * A file that was deleted from the library meanwhile is fetched again: who waits for it goes on waiting.
 */
async function setEverywhere(ctx: Steps, addressId: string, mediaId: MediaRow['id']): Promise<void> {
  for (let isThere = true; isThere; ) {
    const some = await listWaiting(ctx.db, ctx.businessId, addressId, RECORDS);
    if (some.length === 0) return;
    isThere = await ctx.transaction(async (tx) => {
      await saveAddress(tx.db, ctx.businessId, addressId, mediaId);
      const to = (await findUsedMedia(tx, [mediaId])).get(mediaId);
      if (!to) return false;
      const ids = [...new Set(some.map(({ recordId }) => recordId))];
      const isEntry = (id: string) => isId('ent', id);
      // An import locks products before entries.
      for (const id of ids.filter((each) => !isEntry(each))) await setPicture(tx, { id, from: addressId, to });
      for (const id of ids.filter(isEntry)) await setEntryMedia(tx, { id, from: addressId, to });
      await markPictures(tx.db, ctx.businessId, addressId, ids, 'DONE');
      return true;
    });
  }
}
