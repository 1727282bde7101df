import { inTransaction, type Tx } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { conflict, notFound } from '../../shared/errors.ts';
import { claimBatch, releaseBatch, skipBatch } from './delivery-queries.ts';
import { enqueueSend } from './jobs.ts';
import { lockSend, cancelSend as markCancelled, type SendRow } from './send-queries.ts';

/** No message leaves any more, beyond those that are on their way at this moment. Repeatable. */
export async function cancelSend(deps: Deps, tx: Tx, businessId: string, entryId: string, id: string): Promise<void> {
  const send = await lockSend(tx, businessId, id);
  if (send?.entryId !== entryId) throw notFound('Send');
  if (send.status === 'CANCELLED') return;
  if (send.status !== 'SCHEDULED' && send.status !== 'SENDING') throw conflict('This send is over.');
  await markCancelled(tx, send, deps.clock.seconds());
  if (send.frozen) await enqueueSend(deps.jobs, tx, send, 0);
}

/** Accounts for what a cancelled send has left unsent, batch by batch, as their holders let go of them. */
export async function skipRest({ pool, clock, config }: Deps, send: SendRow, owner: string): Promise<void> {
  for (let found = true; found; ) {
    found = await inTransaction(pool, async (tx) => {
      const now = clock.seconds();
      const batch = await claimBatch(tx, send, owner, config.mailLeaseSeconds, Number.MAX_SAFE_INTEGER);
      if (!batch) return false;
      await skipBatch(tx, send, batch, now);
      await releaseBatch(tx, send, batch, owner, 'HOLD', 0);
      return true;
    });
  }
}
