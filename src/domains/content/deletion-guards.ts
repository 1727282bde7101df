import type { Command } from './context.ts';

/**
 * Raises a conflict when another room still needs the record. Runs in the transaction of the deletion, under the record's lock:
 * who begins to need an entry or a collection locks its row first (`for key share` is enough), and is seen here.
 */
export type DeletionGuard = {
  entry?: (ctx: Command, entryId: string) => Promise<void>;
  collection?: (ctx: Command, collectionId: string, options: { cascade: boolean }) => Promise<void>;
};

export function createDeletionGuards() {
  const guards: DeletionGuard[] = [];
  return {
    register: (guard: DeletionGuard): void => void guards.push(guard),
    async beforeEntry(ctx: Command, entryId: string): Promise<void> {
      for (const { entry } of guards) await entry?.(ctx, entryId);
    },
    async beforeCollection(ctx: Command, collectionId: string, options: { cascade: boolean }): Promise<void> {
      for (const { collection } of guards) await collection?.(ctx, collectionId, options);
    },
  };
}
