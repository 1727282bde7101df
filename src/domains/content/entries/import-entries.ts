/** Entries that come from a file, many at a time, by the rules of any save. They are found by their id. */
import { isDeepStrictEqual } from 'node:util';
import { NOTHING_PREPARED, type PreparedTexts } from '../../../shared/blocks.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import type { FormerIdentity } from '../../../shared/ids.ts';
import { currentStatus } from '../../../shared/statuses.ts';
import { adoptMedia, findUsedMedia, mediaIdsIn, mediaIn, waitingAddresses } from '../../media/index.ts';
import type { Command } from '../context.ts';
import { collectionOwner } from '../owners.ts';
import { changeEntry } from './change-entry.ts';
import { createEntry } from './create-entry.ts';
import { lockEntries } from './queries.ts';
import { checkContent } from './rules.ts';
import type { Entry, EntryChanges, EntryInput } from './schemas.ts';

export type EntryImport = FormerIdentity & {
  id: string;
  /** Of the right shape, and with a `collectionId` or an `owner`. */
  input: EntryInput;
  texts?: PreparedTexts;
  /** What it refers to may come later in the same file. */
  trusts?: boolean;
  /** The ids of files that are known by their address only. */
  addresses?: ReadonlyMap<string, string>;
};

type EntryOutcome =
  | {
      result: 'CREATED' | 'UPDATED' | 'UNCHANGED';
      id: string;
      /** Addresses of its files that are not in the library. */
      waiting: string[];
    }
  | { errors: FieldError[] };

/** One outcome for each record, in their order. What the file does not name stays. */
export async function importEntries(ctx: Command, records: readonly EntryImport[]): Promise<EntryOutcome[]> {
  const ids = records.map(({ id }) => id);
  const rows = await lockEntries(ctx.db, ctx.businessId, ids);
  const known = new Map(rows.map(({ id, doc }) => [id, JSON.parse(doc) as Entry]));
  const media = await findUsedMedia(ctx, records.flatMap(mediaOf));
  const outcomes: EntryOutcome[] = [];
  for (const sent of records) {
    const current = known.get(sent.id);
    const blocks = adoptMedia(blocksOf(sent), current?.blocks ?? [], { addresses: sent.addresses, media });
    const record = { ...sent, input: { ...sent.input, blocks: blocks as NonNullable<EntryInput['blocks']> } };
    try {
      if (current) outcomes.push(await update(ctx, current, record));
      else {
        const entry = await createEntry(ctx, record.input, record.texts, record);
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
  const wanted = input.status ?? input.statuses?.at(-1)?.status;
  const status = wanted ?? currentStatus(current.statuses);
  const owner = input.collectionId === undefined ? input.owner! : collectionOwner(input.collectionId);
  const blocks = mergeBlocks(current.blocks, input.blocks ?? []);
  const content = await checkContent(ctx, {
    ...{ owner, ownerField: 'collectionId', blocks, texts, draft: status === 'DRAFT' },
    ...(record.trusts ? { trusts: true } : {}),
    ...(owner === current.owner && status === currentStatus(current.statuses) ? { current: current.blocks } : {}),
  });
  if (content.errors.length > 0) return { errors: content.errors };
  const locale = input.locale ?? current.locale;
  const isSame =
    owner === current.owner &&
    locale === current.locale &&
    status === currentStatus(current.statuses) &&
    isDeepStrictEqual(content.blocks, current.blocks);
  const told = { id, waiting: waitingIn(ctx, content) };
  if (isSame) return { result: 'UNCHANGED', ...told };
  const changes: EntryChanges = {
    ...{ owner, locale, blocks: blocks as NonNullable<EntryChanges['blocks']> },
    ...(status !== undefined && status !== currentStatus(current.statuses) ? { statuses: [{ status }] } : {}),
  };
  await changeEntry(ctx, { id, changes }, texts);
  return { result: 'UPDATED', ...told };
}

/** A block that has no value, and that the file leaves empty, is not there. */
function mergeBlocks(known: Entry['blocks'], incoming: NonNullable<EntryInput['blocks']>): { id: string }[] {
  const left = new Map(incoming.map((block) => [block.id, block as { id: string }]));
  const merged = known.map((block) => {
    const next = left.get(block.id);
    left.delete(block.id);
    return next ?? block;
  });
  return [...merged, ...[...left.values()].filter((block) => (block as { value?: unknown }).value != null)];
}
