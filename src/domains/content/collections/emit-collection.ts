import type { Command } from '../context.ts';
import { collectionKind } from './collection-kind.ts';
import type { Collection } from './schemas.ts';

type Type = 'collection.created' | 'collection.updated' | 'collection.deleted';

/** Emits the collection as members see it. `before`: the collection before an update. */
export function emitCollection(ctx: Command, type: Type, collection: Collection, before?: Collection): void {
  const shown = (each: Collection) => collectionKind.show(each, ctx.publicUrl());
  ctx.emit({ type, entity: `collection:${collection.id}`, data: shown(collection), before: before && shown(before) });
}
