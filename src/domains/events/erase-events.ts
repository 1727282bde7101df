/** Takes out of events what they say of a person. That something happened, when and by which id stays. */
import type { Tx } from '../../db/sql.ts';
import { updateErased, updateErasedMentions, updateOutboxErased, updateOutboxMentions } from './erase-queries.ts';
import { findHead } from './queries.ts';

/** Events that one transaction looks through. */
const BATCH = 5000;

/**
 * The positions of events that told of one of these records. The outbox comes first: what is being numbered meanwhile is found
 * there or here.
 */
export async function eraseEventsOf(tx: Tx, businessId: string, entities: readonly string[]): Promise<number[]> {
  if (entities.length === 0) return [];
  await updateOutboxErased(tx, businessId, entities);
  return (await updateErased(tx, businessId, entities)).map(({ position }) => position);
}

type Mentions = {
  /** In lower case. */
  emails: readonly string[];
  /** Also forgets from where this user acted. */
  actorId: string | null;
};

/** The same for events of any record that name one of these e-mails, from after a position on. `next` null: those were all. */
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
