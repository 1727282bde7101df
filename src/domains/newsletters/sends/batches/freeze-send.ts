import { prepareScan } from '../../../../db/prepare-scan.ts';
import type { Tx } from '../../../../db/sql.ts';
import type { MailContent } from '../../rendering/compose-mail.ts';
import { hasOneNewsletter } from '../../segments/queries.ts';
import { readsSubscriptionOnly } from '../../segments/sets.ts';
import { listEnded } from '../../subscriptions/plans/active-plans.ts';
import type { SendRow } from '../send-queries.ts';
import { type Audience, insertNext, insertStored, insertStoredBatches, storeAudience } from './audience-queries.ts';
import { BATCH_SIZE, markFrozen } from './queries.ts';

/** Maximum number of deliveries per INSERT. */
const CHUNK = 50 * BATCH_SIZE;

/**
 * Freezes content and audience, in one transaction: inserts the deliveries in chunks, to keep each statement short, and
 * the batches. The caller must have locked the send and checked that it is not frozen.
 */
export async function freezeSend(
  tx: Tx,
  send: SendRow,
  { content, ...limits }: Omit<Audience, 'planIds' | 'isSingle' | 'ended'> & { content: MailContent },
  nowSeconds: number,
): Promise<void> {
  const isSingle = limits.filter !== null && (await hasOneNewsletter(tx, send.businessId));
  const { planIds } = content;
  const ended = planIds ? await listEnded(tx, send.businessId, nowSeconds) : [];
  const audience: Audience = { ...limits, isSingle, ended, ...(planIds ? { planIds } : {}) };
  const { filter } = limits;
  // Experiments depend on the whole audience, and filters that read other tables are faster for all recipients at once.
  const isWhole =
    (filter !== null && !readsSubscriptionOnly(filter, { ...send, isSingle })) || send.experiment !== null;
  const recipients = await (isWhole ? insertWhole : insertByChunks)(tx, send, audience, nowSeconds);
  await markFrozen(tx, send, { content, recipients }, nowSeconds);
}

async function insertByChunks(tx: Tx, send: SendRow, audience: Audience, nowSeconds: number): Promise<number> {
  let frozen = { recipients: 0, batches: 0, last: '' };
  for (;;) {
    const { last: after, batches } = frozen;
    const added = await insertNext(tx, send, audience, { after, limit: CHUNK, batches, nowSeconds });
    frozen = {
      recipients: frozen.recipients + added.recipients,
      batches: frozen.batches + added.batches,
      last: added.last ?? '',
    };
    if (added.recipients < CHUNK) return frozen.recipients;
  }
}

async function insertWhole(tx: Tx, send: SendRow, audience: Audience, nowSeconds: number): Promise<number> {
  await prepareScan(tx);
  const recipients = await storeAudience(tx, send, audience, nowSeconds);
  for (let from = 0; from < recipients; from += CHUNK) await insertStored(tx, send, from, from + CHUNK, nowSeconds);
  await insertStoredBatches(tx, send);
  return recipients;
}
