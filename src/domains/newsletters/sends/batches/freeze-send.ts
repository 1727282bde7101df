import { prepareScan } from '../../../../db/prepare-scan.ts';
import type { Tx } from '../../../../db/sql.ts';
import type { MailContent } from '../../rendering/compose-mail.ts';
import type { SendRow } from '../send-queries.ts';
import {
  type Audience,
  asQuery,
  fetchAudience,
  insertDeliveries,
  openAudience,
  selectAudience,
} from './audience-queries.ts';
import { BATCH_SIZE, markFrozen } from './queries.ts';

/** Recipients whose deliveries one statement inserts. */
const CHUNK = 50 * BATCH_SIZE;

/**
 * Freezes content and audience, in one transaction: inserts the deliveries in chunks, so that no statement takes long, and the batches.
 * The caller must have locked the send and checked that it is not frozen.
 */
export async function freezeSend(
  tx: Tx,
  send: SendRow,
  { content, ...limits }: Omit<Audience, 'planIds'> & { content: MailContent },
  nowSeconds: number,
): Promise<void> {
  const audience: Audience = { ...limits, ...(content.planIds ? { planIds: content.planIds } : {}) };
  // These depend on everyone, so the audience is computed once and then read in chunks.
  const isWhole = audience.filter !== null || send.experiment !== null;
  if (isWhole) {
    await prepareScan(tx);
    await openAudience(tx, send, audience, nowSeconds);
  }
  let frozen = { recipients: 0, batches: 0, last: '' };
  for (;;) {
    const chunk = isWhole
      ? asQuery(tx, await fetchAudience(tx, CHUNK))
      : selectAudience(tx, send, audience, { after: frozen.last, limit: CHUNK, nowSeconds });
    const added = await insertDeliveries(tx, send, chunk, frozen.batches, nowSeconds);
    frozen = {
      recipients: frozen.recipients + added.recipients,
      batches: frozen.batches + added.batches,
      last: added.last ?? '',
    };
    if (added.recipients < CHUNK) break;
  }
  await markFrozen(tx, send, { content, recipients: frozen.recipients }, nowSeconds);
}
