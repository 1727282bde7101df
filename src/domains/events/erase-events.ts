/** Erases personal data from events. The event itself, its time and IDs are kept. */
import type { Tx } from '../../db/sql.ts';
import { updateErased, updateErasedMentions, updateOutboxErased, updateOutboxMentions } from './erase-queries.ts';
import { findHead } from './queries.ts';

/** Number of events that one transaction scans. */
const BATCH = 5000;

/**
 * Erases events about these records and returns their positions. The outbox is erased first, so that an event that is being numbered
 * is found in at least one of the two tables.
 */
export async function eraseEventsOf(tx: Tx, businessId: string, entities: readonly string[]): Promise<number[]> {
  if (entities.length === 0) return [];
  await updateOutboxErased(tx, businessId, entities);
  return (await updateErased(tx, businessId, entities)).map(({ position }) => position);
}

type Mentions = {
  /** In lower case. */
  emails: readonly string[];
  /** Also erases the IP address of this user's actions. */
  actorId: string | null;
};

/** Erases events that mention one of these emails, whatever their record, starting after a position. `next` is null at the end. */
export async function eraseMentions(
  tx: Tx,
  businessId: string,
  mentions: Mentions,
  after: number,
): Promise<{ positions: number[]; next: number | null }> {
  await updateOutboxMentions(tx, businessId, mentions.emails);
  const head = await findHead(tx, businessId);
  const until = Math.min(after + BATCH, head);
  const positions = (await updateErasedMentions(tx, businessId, { ...mentions, after, until })).map(
    ({ position }) => position,
  );
  return { positions, next: until < head ? until : null };
}
