import type { Versioned } from '../../../context/index.ts';
import { notFound } from '../../../shared/errors.ts';
import type { SerializedJson } from '../../../shared/records/serializer.ts';
import { isContentStaff, visibleStatuses } from '../access.ts';
import type { Query } from '../context.ts';
import { findEntryState } from './queries.ts';

/** Entries that the caller can't see are reported as not found. */
export async function readEntry(ctx: Query, id: string): Promise<Versioned<SerializedJson>> {
  const find = (knownVersion: number) =>
    findEntryState(ctx.quick, ctx.businessId, id, { knownVersion, isStaff: isContentStaff(ctx) });
  const found = await ctx.content.entryResponses.one(ctx, id, find);
  if (!found) throw notFound('Entry');
  const { version, owner, status, body } = found;
  const visible = visibleStatuses(ctx, owner);
  if (!(visible instanceof Promise ? await visible : visible).includes(status)) throw notFound('Entry');
  return { record: body, version };
}
