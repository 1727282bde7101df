import type { Command } from '../../../context/index.ts';
import type { Db } from '../../../db/sql.ts';
import { saveReferences } from '../../media/index.ts';
import { deleteEntryRow, listEntriesOwnedBy } from './queries.ts';

/** Deletes the entries of these owners and their versions without emitting their content. Returns their entity names. */
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

/** Documents of these owners' entries, for a personal data export. */
export async function listEntriesOf(db: Db, businessId: string, owners: readonly string[]): Promise<object[]> {
  return (await listEntriesOwnedBy(db, businessId, owners)).map(({ doc }) => doc);
}
