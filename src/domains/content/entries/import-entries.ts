/** Imports batches of entries under the same rules as any save. Entries are matched by ID. */
import { isDeepStrictEqual } from 'node:util';
import { NOTHING_PREPARED, type PreparedTexts } from '../../../shared/blocks/index.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import type { PreviousIdentity } from '../../../shared/ids.ts';
import { currentStatus, sentStatuses } from '../../../shared/records/status-history.ts';
import { findUsedMedia, matchImportedMedia, mediaIdsIn, mediaIn, waitingAddresses } from '../../media/index.ts';
import { changeRecord } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { collectionOwner } from '../owners.ts';
import { addEntry } from './create-entry.ts';
import { entryKind } from './entry-kind.ts';
import { sentSettings, settingsOf } from './entry-settings.ts';
import { lockEntries } from './queries.ts';
import { checkContent } from './rules.ts';
import type { Entry, EntryChanges, EntryInput } from './schemas.ts';

export type EntryImport = PreviousIdentity & {
  id: string;
  /** Already validated against the schema, with a `collectionId` or an `owner`. */
  input: EntryInput;
  texts?: PreparedTexts;
  /** Referenced records may follow later in the same file. */
  isTrusted?: boolean;
  /** File IDs by URL, for files that the import identifies only by URL. */
  addresses?: ReadonlyMap<string, string>;
};

type EntryOutcome =
  | {
      result: 'CREATED' | 'UPDATED' | 'UNCHANGED';
      id: string;
      /** File URLs that are not in the media library. */
      waiting: string[];
    }
  | { errors: FieldError[] };

/** Returns one outcome per record, in the same order. Anything missing from the file is kept. */
export async function importEntries(ctx: Command, records: readonly EntryImport[]): Promise<EntryOutcome[]> {
  const ids = records.map(({ id }) => id);
  const rows = await lockEntries(ctx.db, ctx.businessId, ids);
  const known = new Map(rows.map(({ id, doc }) => [id, doc]));
  const media = await findUsedMedia(ctx, records.flatMap(mediaOf));
  const outcomes: EntryOutcome[] = [];
  for (const sent of records) {
    const current = known.get(sent.id);
    const blocks = matchImportedMedia(blocksOf(sent), current?.blocks ?? [], { addresses: sent.addresses, media });
    const record = { ...sent, input: { ...sent.input, blocks: blocks as NonNullable<EntryInput['blocks']> } };
    try {
      if (current) outcomes.push(await update(ctx, current, record));
      else {
        const entry = await addEntry(ctx, { input: record.input, texts: record.texts, kept: record });
        outcomes.push({ result: 'CREATED', id: entry.id, waiting: waitingIn(ctx, entry) });
      }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.details.length === 0) throw error;
      outcomes.push({ errors: error.details });
    }
  }
  return outcomes;
}

const blocksOf = ({ input }: EntryImport) => (input.blocks ?? []) as Entry['blocks'];

const mediaOf = (record: EntryImport) => [...mediaIdsIn(blocksOf(record)), ...(record.addresses?.values() ?? [])];

const waitingIn = (ctx: Command, { blocks }: Pick<Entry, 'blocks'>) =>
  waitingAddresses(mediaIn(blocks), ctx.publicUrl());

async function update(ctx: Command, current: Entry, record: EntryImport): Promise<EntryOutcome> {
  const { id, input, texts = NOTHING_PREPARED } = record;
  const sent = sentStatuses(input) ?? [];
  const isLater = ({ timestamp = 0 }: { timestamp?: number }) => timestamp > ctx.now;
  const newStatus = sent.findLast((each) => !isLater(each))?.status;
  const scheduled = current.scheduled ?? [];
  const later = sent.filter((each) => isLater(each) && !scheduled.some((known) => isSameTime(known, each)));
  const status = newStatus ?? currentStatus(current.statuses);
  const owner = input.collectionId === undefined ? input.owner! : collectionOwner(input.collectionId);
  const blocks = mergeBlocks(current.blocks, input.blocks ?? []);
  const locale = input.locale ?? current.locale;
  const isNewStatus = status !== undefined && status !== currentStatus(current.statuses);
  const settings = sentSettings(input);
  const isSameAround =
    isDeepStrictEqual([owner, locale], [current.owner, current.locale]) &&
    !isNewStatus &&
    later.length === 0 &&
    isDeepStrictEqual(settingsOf({ ...current, ...settings }), settingsOf(current));
  // An entry that no longer matches the schema stays as it is.
  if (isSameAround && isDeepStrictEqual(blocks, current.blocks))
    return { result: 'UNCHANGED', id, waiting: waitingIn(ctx, current) };
  const content = await checkContent(ctx, {
    owner,
    ownerField: 'collectionId',
    blocks,
    texts,
    draft: status === 'DRAFT',
    ...(record.isTrusted ? { isTrusted: true } : {}),
    ...(owner === current.owner && status === currentStatus(current.statuses) ? { current: current.blocks } : {}),
  });
  if (content.errors.length > 0) return { errors: content.errors };
  const summary = { id, waiting: waitingIn(ctx, content) };
  if (isSameAround && isDeepStrictEqual(content.blocks, current.blocks)) return { result: 'UNCHANGED', ...summary };
  const changes: EntryChanges = {
    owner,
    locale,
    ...settings,
    blocks: blocks as NonNullable<EntryChanges['blocks']>,
    ...(isNewStatus || later.length > 0 ? { statuses: [...(isNewStatus ? [{ status }] : []), ...later] } : {}),
  };
  await changeRecord(ctx, { kind: entryKind, id, changes, texts });
  return { result: 'UPDATED', ...summary };
}

type Timed = { status: string; timestamp?: number };

const isSameTime = (a: Timed, b: Timed) => a.status === b.status && a.timestamp === b.timestamp;

/** Blocks without a value are dropped unless the entry already has them. */
function mergeBlocks(known: Entry['blocks'], incoming: NonNullable<EntryInput['blocks']>): { id: string }[] {
  const left = new Map(incoming.map((block) => [block.id, block as { id: string }]));
  const merged = known.map((block) => {
    const next = left.get(block.id) as { value?: unknown; id: string } | undefined;
    left.delete(block.id);
    return next && !isDeepStrictEqual(next.value, block.value) ? next : block;
  });
  return [...merged, ...[...left.values()].filter((block) => (block as { value?: unknown }).value != null)];
}
