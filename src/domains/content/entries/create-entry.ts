import { NOTHING_PREPARED, type PreparedTexts, prepareTexts } from '../../../shared/blocks/index.ts';
import { type FieldError, invalid, invalidField } from '../../../shared/errors.ts';
import { keptId, type PreviousIdentity } from '../../../shared/ids.ts';
import { compactPlanned } from '../../../shared/records/planned-fields.ts';
import { currentStatus, sentStatuses } from '../../../shared/records/status-history.ts';
import { saveReferences } from '../../media/index.ts';
import { planScheduled } from '../../publishing/index.ts';
import { type Command, command } from '../context.ts';
import { findOwner } from '../find-owner.ts';
import { extendStatuses, NEW } from '../statuses.ts';
import { becomesPublic } from './compose-entry.ts';
import { changeSettings, generateSlug } from './entry-settings.ts';
import { searchWords } from './index-values.ts';
import { insertEntry } from './queries.ts';
import { checkContent } from './rules.ts';
import type { Entry, EntryInput } from './schemas.ts';
import { showEntry } from './show-entry.ts';

const DEFAULT_LOCALE = 'en';

type NewEntry = {
  input: EntryInput;
  texts?: PreparedTexts | undefined;
  /** Set by imports. `isTrusted`: referenced records may follow later in the same file. */
  kept?: PreviousIdentity & { isTrusted?: boolean };
};

export const createEntry = command({
  prepare: async (ctx, input: EntryInput) => ({ input, texts: await prepareTexts(ctx.businessId, input.blocks) }),
  execute: addEntry,
});

/** Required blocks may be missing only if the entry is explicitly a DRAFT. */
export async function addEntry(ctx: Command, { input, texts = NOTHING_PREPARED, kept = {} }: NewEntry): Promise<Entry> {
  const { businessId, now } = ctx;
  const errors: FieldError[] = [];
  const owner = await findOwner(ctx, input, errors);
  if (owner === undefined) throw invalidField('collectionId', 'REQUIRED', 'collectionId or owner is required.');
  const incoming = sentStatuses(input);
  const planned = extendStatuses(ctx, NEW, { statuses: incoming, scheduled: input.scheduled }, errors);
  const isDraft = Boolean(incoming?.length) && planned && currentStatus(planned.statuses) === 'DRAFT';
  const content = await checkContent(ctx, {
    owner,
    ownerField: input.collectionId === undefined ? 'owner' : 'collectionId',
    blocks: input.blocks ?? [],
    texts,
    isTrusted: kept.isTrusted ?? false,
    draft: Boolean(isDraft && !becomesPublic(planned?.scheduled)),
  });
  errors.push(...content.errors);
  const id = keptId('ent', kept.id);
  const settings = await changeSettings(ctx, { id, owner, before: {}, changes: input }, errors);
  if (errors.length > 0 || !planned) throw invalid(errors);
  const { blocks } = content;
  const locale = input.locale ?? DEFAULT_LOCALE;
  const slug = settings.slug ?? (await generateSlug(ctx, { id, owner, locale, blocks }));
  const entry: Entry = compactPlanned({
    id,
    businessId,
    owner,
    locale,
    ...(slug === undefined ? {} : { slug }),
    blocks,
    ...settings,
    ...planned,
    createdAt: kept.createdAt ?? now,
    updatedAt: kept.updatedAt ?? now,
  });
  await insertEntry(ctx.db, entry, searchWords(entry.blocks, texts.words));
  if (content.media.length > 0) await saveReferences(ctx.db, businessId, `entry:${entry.id}`, content.media);
  await planScheduled(ctx, `entry:${entry.id}`, [], entry.scheduled);
  const shown = showEntry(entry, ctx.publicUrl());
  const event = { entity: `entry:${entry.id}`, data: shown } as const;
  const isPublished = currentStatus(entry.statuses) === 'PUBLISHED';
  ctx.emit(
    { type: 'entry.created', ...event },
    ...(isPublished ? [{ type: 'entry.published' as const, ...event }] : []),
  );
  return shown;
}
