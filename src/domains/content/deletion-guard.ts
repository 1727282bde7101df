import type { Command } from './context.ts';

/**
 * Throws a conflict while another domain needs the record. Runs in the deletion's transaction, under the record's lock.
 * Code that starts to depend on an entry or a collection must lock its row first (`for key share` is enough).
 */
export type DeletionGuard = {
  beforeEntry(ctx: Command, entryId: string): Promise<void>;
  beforeCollection(ctx: Command, collectionId: string, options: { cascade: boolean }): Promise<void>;
};
