import type { Command } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { saveReferences } from '../../media/index.ts';
import { deleteEntryRow, listEntriesOwnedBy } from './queries.ts';

/** Deletes the entries of these owners with their former versions, without telling what they said. Returns their entities. */
export async function eraseEntriesOf(
  { db: tx, businessId }: Pick<Command, 'db' | 'businessId'>,
  owners: readonly string[],
): Promise<string[]> {
  const entities: string[] = [];
  for (const { id } of await listEntriesOwnedBy(tx, businessId, owners)) {
    await deleteEntryRow(tx, businessId, id);
    await saveReferences(tx, businessId, `entry:${id}`, []);
    entities.push(`entry:${id}`);
  }
  return entities;
}

/** The documents of these entries, for the person they are about. */
export async function listEntriesOf(db: Db, businessId: string, owners: readonly string[]): Promise<object[]> {
  return (await listEntriesOwnedBy(db, businessId, owners)).map(({ doc }) => JSON.parse(doc));
}
