/** What a change notes as a version, and what it takes to read the versions of a kind of record. */
import type { Caller } from '../../shared/caller.ts';
import type { PageQuery } from '../../shared/paging.ts';
import type { StatusEntry } from '../../shared/statuses.ts';
import type { Command, Query } from './context.ts';
import { changedFields } from './diff.ts';
import { linkPreview } from './preview.ts';
import { type Current, listVersions, readVersion } from './read-versions.ts';
import type { Author, NewVersion, VersionAction, VersionedEntity } from './version-queries.ts';

export const authorOf = ({ userId, keyId }: Caller): Author => ({ userId, keyId });

type Stored = { id: string; statuses: readonly StatusEntry[]; createdAt: number };

export type Noted = Author & { action: VersionAction; restoredFrom?: number | undefined; draft?: NewVersion['draft'] };

/** Null: nothing of the content has changed. `number`: the version of the record before. */
export function versionOf(
  { businessId, now, config }: Pick<Command, 'businessId' | 'now' | 'config'>,
  kind: 'entry' | 'product',
  { number, before, after }: { number: number; before: Stored; after: Stored },
  noted: Noted,
): NewVersion | null {
  const changed = changedFields(before, after);
  if (changed.length === 0) return null;
  const entity: VersionedEntity = `${kind}:${after.id}`;
  return { businessId, entity, ...noted, changed, now, keep: config.versionsKept, former: formerOf(number, before) };
}

/** A record that has no versions is, in its content, as it was made. */
export const formerOf = (number: number, { statuses, createdAt }: Stored) => ({
  number,
  userId: statuses[0]?.userId ?? null,
  createdAt,
});

/** `current` finds a record for those who may see its versions. */
export const versionReads = <Ctx extends Query>(current: (ctx: Ctx, id: string) => Promise<Current>) => ({
  list: async (ctx: Ctx, { id, ...query }: PageQuery & { id: string }) =>
    listVersions(ctx, await current(ctx, id), query),
  read: async (ctx: Ctx, { id, ...asked }: { id: string; number: number; against?: number }) =>
    readVersion(ctx, await current(ctx, id), asked),
  linkPreview: async (ctx: Ctx, id: string) => linkPreview(ctx, (await current(ctx, id)).entity),
});
