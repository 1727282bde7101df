import { newId } from '../../../shared/ids.ts';
import type { Command } from '../context.ts';
import { insertSubscription } from './queries.ts';

export type NewSubscriber = { collectionId: string; email: string; name: string; planId: string };

/** An ACTIVE subscriber, without confirmation or payment. */
export async function addSubscriber({ db, businessId, now }: Command, subscriber: NewSubscriber): Promise<void> {
  await insertSubscription(db, {
    ...subscriber,
    businessId,
    id: newId('sub'),
    userId: null,
    status: 'ACTIVE',
    createdAt: now,
    updatedAt: now,
  });
}
