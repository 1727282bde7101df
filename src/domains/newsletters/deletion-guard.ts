import { conflict } from '../../shared/errors.ts';
import type { DeletionGuard } from '../content/index.ts';
import { cancel } from './sends/cancel-send.ts';
import { hasOpenSend, lockOpenSendsOf } from './sends/send-queries.ts';
import { hasSubscribers } from './subscriptions/queries.ts';

/**
 * An entry with an open send stays. A newsletter with subscribers stays unless `cascade`; then its sends are cancelled with it,
 * so that no message leaves after the deletion.
 */
export const deletionGuard: DeletionGuard = {
  async entry({ db, businessId }, entryId) {
    if (!(await hasOpenSend(db, businessId, entryId))) return;
    throw conflict('The entry is being sent, or is planned to be. Cancel that first.');
  },
  async collection(ctx, collectionId, { cascade }) {
    const { db: tx, businessId } = ctx;
    if (!cascade && (await hasSubscribers(tx, businessId, collectionId))) {
      throw conflict('The newsletter has subscribers. Send cascade=true to delete them with it.');
    }
    for (const send of await lockOpenSendsOf(tx, businessId, collectionId)) {
      if (send.status !== 'CANCELLED') await cancel(ctx, send);
    }
  },
};
