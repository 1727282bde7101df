import type { Command as AnyCommand, Versioned } from '../../context/index.ts';
import { compactPlanned, isSameRecord } from '../../shared/records/planned-fields.ts';
import { findUsedMedia, type MediaServices, saveReferences } from '../media/index.ts';
import type { Command } from './context.ts';
import {
  type Composed,
  fullVersion,
  type PublishableKind,
  type PublishedRecord,
  type RecordKind,
  type Stored,
} from './kinds.ts';
import { newVersion, type VersionDetails } from './new-version.ts';
import { planScheduled } from './schedule.ts';
import { responseOf, shown } from './stored-record.ts';
import { findDraft } from './version-queries.ts';

/** Writes the changed record with its version, schedule, media references and events. An unchanged record is not written. */
export async function saveRecord<R extends PublishedRecord>(
  ctx: Command,
  kind: PublishableKind<R>,
  stored: Stored<R>,
  composed: Composed<R>,
  details: VersionDetails,
): Promise<Versioned<R>> {
  const { record: before, version: number } = stored;
  const changed = compactPlanned(composed.record);
  if (isSameRecord(changed, before)) return responseOf(ctx, kind, stored);
  const after = kind.settle ? await kind.settle(ctx, before, changed) : changed;
  const version = kind.hasVersions ? newVersion(ctx, kind, { number, before, after }, details) : null;
  const [, stockVersion = stored.stockVersion] = await Promise.all([
    kind.update(ctx.db, { ...composed, record: after }, version),
    kind.updateDetails?.(ctx, before, after, details.userId),
    kind.hasVersions ? saveMedia(ctx, kind, after) : undefined,
  ]);
  const entity = `${kind.name}:${after.id}` as const;
  await planScheduled(ctx, entity, before.scheduled, after.scheduled);
  const change = { before: shown(ctx, kind, before), after: shown(ctx, kind, after), action: details.action };
  ctx.emit(
    { type: `${kind.name}.updated`, entity, data: change.after, before: change.before },
    ...(kind.eventsOf?.(change) ?? []),
  );
  return { record: change.after, version: fullVersion({ version: number + 1, stockVersion }) };
}

/** Protects media files used by the record or its draft from deletion. */
export async function saveMedia<R extends PublishedRecord>(
  ctx: AnyCommand<MediaServices>,
  kind: RecordKind<R>,
  record: R,
): Promise<void> {
  const { db: tx, businessId } = ctx;
  const entity = `${kind.name}:${record.id}` as const;
  const draft = record.hasDraft ? await findDraft(tx, businessId, entity) : null;
  const ids = [record, ...(draft ? [kind.parse(draft.doc)] : [])].flatMap((each) => kind.mediaIdsOf(each));
  const used = await findUsedMedia(ctx, ids);
  await saveReferences(tx, businessId, entity, [...used.keys()]);
}
