import type { Db, Tx } from '../../db/connection.ts';
import { type BlockDefinition, type BlockSchemaCheck, compileBlockSchema } from '../../shared/blocks.ts';
import { findCollection, holdCollection } from './collection-queries.ts';
import type { Collection } from './schemas.ts';

/** A collection's schema, ready to check values. */
export type KnownSchema = { version: number; blocks: readonly BlockDefinition[]; check: BlockSchemaCheck };

const MAX_REMEMBERED = 1000;

/**
 * Compiled schemas, remembered by the version of their collection: a version never changes, so what is remembered is never
 * wrong, only of no more use.
 */
export function createSchemas() {
  const known = new Map<string, KnownSchema>();

  async function read(db: Db, businessId: string, id: string): Promise<KnownSchema | null> {
    const row = await findCollection(db, businessId, id);
    if (!row) return null;
    const { blocks } = JSON.parse(row.doc) as Collection;
    const schema = { version: row.version, blocks, check: compileBlockSchema(blocks) };
    const oldest = known.size >= MAX_REMEMBERED ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    known.set(`${businessId} ${id}`, schema);
    return schema;
  }

  return {
    find: read,
    /** The schema as it is now, of a collection that cannot be deleted before the transaction ends; or null. */
    async hold(tx: Tx, businessId: string, id: string): Promise<KnownSchema | null> {
      const held = await holdCollection(tx, businessId, id);
      if (!held) return null;
      const schema = known.get(`${businessId} ${id}`);
      return schema?.version === held.version ? schema : read(tx, businessId, id);
    },
  };
}

export type Schemas = ReturnType<typeof createSchemas>;
