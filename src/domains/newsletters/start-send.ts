import { inTransaction, type Tx } from '../../db/connection.ts';
import { ServiceError } from '../../shared/errors.ts';
import { BATCH_SIZE } from './deliver.ts';
import { freezeSend, refreshStatistics } from './delivery-queries.ts';
import { type FrozenContent, failSend, findSend, lockSend, type SendKey, type SendRow } from './send-queries.ts';
import { composeMail, isPublished, readSource, type SourceDeps } from './source.ts';

/** From here on the deliveries of one send can change what the best plan is. */
const MANY = 1000;

/**
 * Freezes a send whose time has come, once. Returns it as it is then: under way, cancelled, not due yet, or null when there is
 * nothing left to do for it.
 */
export async function startSend(deps: SourceDeps, { businessId, id }: SendKey): Promise<SendRow | null> {
  const now = deps.clock.seconds();
  const isFrozenNow = await inTransaction(deps.pool, async (tx) => {
    const send = await lockSend(tx, businessId, id);
    if (!send?.open || send.frozen || send.status === 'CANCELLED' || send.scheduledAt > now) return false;
    const ready = await readContent(deps, tx, send);
    if (typeof ready === 'string') {
      await failSend(tx, send, ready, now);
      return false;
    }
    await freezeSend(tx, { ...send, onUnknown: ready.onUnknown }, ready.content, BATCH_SIZE, now);
    return true;
  });
  const send = await findSend(deps.pool, businessId, id);
  if (isFrozenNow && send && send.recipients >= MANY) await inTransaction(deps.pool, refreshStatistics);
  return send?.open ? send : null;
}

/** A word that says why the entry can no longer be sent, or its content. */
async function readContent(
  deps: SourceDeps,
  tx: Tx,
  send: SendRow,
): Promise<string | { content: FrozenContent; onUnknown: SendRow['onUnknown'] }> {
  if (send.content) return { content: send.content, onUnknown: send.onUnknown };
  try {
    const source = await readSource(deps, tx, send.businessId, send.entryId);
    if (!isPublished(source)) return 'NOT_PUBLISHED';
    const { content, errors } = await composeMail(deps, source);
    if (errors.length > 0) return errors[0]!.error;
    return { content, onUnknown: source.collection.settings.onUnknown ?? 'RETRY' };
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'NOT_FOUND') return 'ENTRY_NOT_FOUND';
    if (error instanceof ServiceError && error.kind === 'VALIDATION_FAILED') return error.details[0]!.error;
    throw error;
  }
}
