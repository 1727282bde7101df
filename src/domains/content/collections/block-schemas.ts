import type { Db, Tx } from '../../../db/sql.ts';
import { type BlockDefinition, type BlockSchemaCheck, compileBlockSchema } from '../../../shared/blocks.ts';
import { findCollection, lockCollectionForEntry } from './queries.ts';
import type { Collection } from './schemas.ts';

/** A collection's schema, ready to check values. */
export type CompiledSchema = {
  version: number;
  status: string;
  blocks: readonly BlockDefinition[];
  check: BlockSchemaCheck;
};

const MAX_CACHED = 1000;

/** Compiled schemas, cached by the version of their collection: a version never changes, so what is cached is never wrong. */
export function createBlockSchemas() {
  const cached = new Map<string, CompiledSchema>();

  async function find(db: Db, businessId: string, id: string): Promise<CompiledSchema | null> {
    const row = await findCollection(db, businessId, id);
    if (!row) return null;
    const { blocks } = JSON.parse(row.doc) as Collection;
    const schema = { version: row.version, status: row.status, blocks, check: compileBlockSchema(blocks) };
    const oldest = cached.size >= MAX_CACHED ? cached.keys().next().value : undefined;
    if (oldest !== undefined) cached.delete(oldest);
    cached.set(`${businessId} ${id}`, schema);
    return schema;
  }

  return {
    find,
    /** The schema as it is now, of a collection that cannot be deleted before the transaction ends. Null: there is none. */
    async lock(tx: Tx, businessId: string, id: string): Promise<CompiledSchema | null> {
      const locked = await lockCollectionForEntry(tx, businessId, id);
      if (!locked) return null;
      const schema = cached.get(`${businessId} ${id}`);
      return schema?.version === locked.version ? schema : find(tx, businessId, id);
    },
  };
}
