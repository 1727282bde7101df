import type { Db } from '../../db/sql.ts';
import type { ChatModel } from '../../providers/ai/port.ts';
import type { Reference } from '../../shared/blocks/index.ts';
import type { FieldError } from '../../shared/errors.ts';
import type { FindActivePlans, ListSentEntries } from './access.ts';
import type { createBlockSchemas } from './collections/block-schemas.ts';
import type { DeleteRows } from './collections/clear-collections.ts';
import type { createCollectionResponses } from './collections/collection-responses.ts';
import type { DeletionGuard } from './deletion-guard.ts';
import type { createEntryResponses } from './entries/entry-responses.ts';
import type { References } from './references.ts';

export type Content = Readonly<{
  references: References;
  schemas: ReturnType<typeof createBlockSchemas>;
  collectionResponses: ReturnType<typeof createCollectionResponses>;
  entryResponses: ReturnType<typeof createEntryResponses>;
  /** Null if the built-in generator is used. */
  model: ChatModel | null;
  /** Deletes the rows of other domains that belong to a deleted collection. */
  deleteDependents: DeleteRows;
  deletionGuard: DeletionGuard;
  findActivePlans: FindActivePlans;
  listSentEntries: ListSentEntries;
  checkReferences(
    db: Db,
    businessId: string,
    named: readonly Reference[],
    options?: { publicOnly?: boolean },
  ): Promise<FieldError[]>;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly content: Content;
  }
}
