import type { Versioned } from '../../../context/index.ts';
import { notFound } from '../../../shared/errors.ts';
import { type GatedView, viewOf } from '../../../shared/records/response-cache.ts';
import type { SerializedJson } from '../../../shared/records/serializer.ts';
import { findAudience, isContentStaff, visibleStatuses } from '../access.ts';
import type { Query } from '../context.ts';
import { findEntryState } from './queries.ts';

/** Each try reads the entry again, because its access can change in between. */
const MAX_TRIES = 3;

/** Entries that the caller can't see are reported as not found. */
export async function readEntry(ctx: Query, id: string): Promise<Versioned<SerializedJson>> {
  let view: GatedView = viewOf(ctx, 'record');
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { access, owner, planIds, body, version } = await readAs(ctx, id, view);
    if (access === null) return { record: body, version };
    const gate = { access, owner, planIds };
    const audience = (await findAudience(ctx, [gate]))(gate);
    if (view === `${audience} record`) return { record: body, version };
    view = `${audience} record`;
  }
  const { body, version } = await readAs(ctx, id, 'public record');
  return { record: body, version };
}

async function readAs(ctx: Query, id: string, view: GatedView) {
  const find = (knownVersion: number) =>
    findEntryState(ctx.quick, ctx.businessId, id, { knownVersion, isStaff: isContentStaff(ctx) });
  const found = await ctx.content.entryResponses.one(ctx, id, find, view);
  if (!found) throw notFound('Entry');
  const visible = visibleStatuses(ctx, found.owner);
  if (!(visible instanceof Promise ? await visible : visible).includes(found.status)) throw notFound('Entry');
  return found;
}
