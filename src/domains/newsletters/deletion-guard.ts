import { conflict } from '../../shared/errors.ts';
import type { DeletionGuard } from '../content/index.ts';
import { removeAutomation } from './automations/automations.ts';
import { isEntryUsed, lockAutomationsOf } from './automations/queries.ts';
import { cancel } from './sends/cancel-send.ts';
import { hasOpenSend, lockOpenSendsOf } from './sends/send-queries.ts';
import { hasSubscribers } from './subscriptions/queries.ts';

/**
 * An entry with an open send or in an automation can't be deleted. A newsletter with subscribers can only be deleted with `cascade`, which
 * also cancels its sends, so that no message is sent after the deletion.
 */
export const deletionGuard: DeletionGuard = {
  async beforeEntry({ db, businessId }, entryId) {
    if (await hasOpenSend(db, businessId, entryId))
      throw conflict('This entry has a scheduled or running send. Cancel the send first.');
    if (await isEntryUsed(db, businessId, entryId))
      throw conflict('An automation sends this entry. Remove it from the automation first.');
  },
  async beforeCollection(ctx, collectionId, { cascade }) {
    const { db: tx, businessId } = ctx;
    if (!cascade && (await hasSubscribers(tx, businessId, collectionId))) {
      throw conflict('This newsletter has subscribers. Set cascade=true to delete them as well.');
    }
    for (const row of await lockAutomationsOf(tx, businessId, collectionId)) await removeAutomation(ctx, row);
    for (const send of await lockOpenSendsOf(tx, businessId, collectionId)) {
      if (send.status !== 'CANCELLED') await cancel(ctx, send);
    }
  },
};
