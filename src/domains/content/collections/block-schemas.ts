import type { Db, Tx } from '../../../db/sql.ts';
import { type BlockDefinition, type BlockSchemaCheck, compileBlockSchema } from '../../../shared/blocks/index.ts';
import { findCollection, lockCollectionForEntry } from './queries.ts';

/** A collection's schema, ready to check values. */
export type CompiledSchema = {
  version: number;
  status: string;
  blocks: readonly BlockDefinition[];
  check: BlockSchemaCheck;
};

const MAX_CACHED = 1000;

/** Caches compiled schemas by collection version. A version never changes, so the cache needs no invalidation. */
export function createBlockSchemas() {
  const cached = new Map<string, CompiledSchema>();

  async function find(db: Db, businessId: string, id: string): Promise<CompiledSchema | null> {
    const row = await findCollection(db, businessId, id);
    if (!row) return null;
    const { blocks } = row.doc;
    const schema = { version: row.version, status: row.status, blocks, check: compileBlockSchema(blocks) };
    const oldest = cached.size >= MAX_CACHED ? cached.keys().next().value : undefined;
    if (oldest !== undefined) cached.delete(oldest);
    cached.set(`${businessId} ${id}`, schema);
    return schema;
  }

  return {
    find,
    /** The current schema. Protects the collection from deletion until the transaction ends. Null if there is no collection. */
    async lock(tx: Tx, businessId: string, id: string): Promise<CompiledSchema | null> {
      const locked = await lockCollectionForEntry(tx, businessId, id);
      if (!locked) return null;
      const schema = cached.get(`${businessId} ${id}`);
      return schema?.version === locked.version ? schema : find(tx, businessId, id);
    },
  };
}
