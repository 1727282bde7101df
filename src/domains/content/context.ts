import type { Deps } from '../../deps.ts';
import type { ChatModel } from '../../providers/ai/port.ts';
import type { DocumentCache } from '../../shared/document-cache.ts';
import type { Schemas } from './collection-schemas.ts';
import type { References } from './references.ts';

/** What the use cases of this domain work with. */
export type ContentContext = Pick<Deps, 'clock' | 'log' | 'quick'> & {
  schemas: Schemas;
  /** Of entries, for their lists. */
  documents: DocumentCache<number>;
  references: References;
  /** Null: the built-in generator. */
  model: ChatModel | null;
};
