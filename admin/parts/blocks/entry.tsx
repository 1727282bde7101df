/**
 * An entry in a form: `useEntry({ collection, entryId, … })` and `<EntryFields record={…} definitions={…} />`, for
 * content and newsletters. Each block is a separate field, so that two people who edit different blocks both keep their
 * changes.
 */
import {
  type Block,
  type BlockDefinition,
  type Collection,
  type ContentStatusInput,
  type Entry,
  type EntryInput,
  isSoukError,
} from '@souk/client';
import { useRef } from 'preact/hooks';
import { souk } from '../../shell/session.ts';
import { locale as ownLocale, t } from '../../text/index.ts';
import { type FormRecord, useRecord } from '../editing/use-record.ts';
import { forget } from '../load.ts';
import { messageOf } from '../problem.tsx';
import { BlockField, labelOf } from './field.tsx';

/** `block.<id>` is the value of a block. */
type EntryValues = {
  locale: string;
  status: string;
  slug: string;
  access: string;
  planIds: string[];
  seoTitle: string;
  seoDescription: string;
} & Record<`block.${string}`, unknown>;
type EntryRecord = FormRecord<EntryValues>;

const isEmpty = (value: unknown) =>
  value == null ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).length > 0 && Object.values(value).every((each) => each === ''));

/** The blocks to send: blocks of the schema with a value. */
export const blocksOf = (definitions: readonly BlockDefinition[], values: EntryValues) =>
  definitions.map(({ id }) => ({ id, value: values[`block.${id}`] })).filter(({ value }) => !isEmpty(value)) as Block[];

const NO_SETTINGS = { slug: '', access: 'PUBLIC', planIds: [] as string[], seoTitle: '', seoDescription: '' };

/** The changed settings, as the API expects them. */
function settingsOf(changes: Partial<EntryValues>, values: EntryValues): Partial<EntryInput> {
  const { slug, access, planIds, seoTitle: title, seoDescription: description } = values;
  const isSent = (...names: (keyof EntryValues)[]) => names.some((name) => changes[name] !== undefined);
  return {
    ...(isSent('slug') && slug ? { slug } : {}),
    ...(isSent('access', 'planIds') ? { access: access as 'PUBLIC' } : {}),
    ...(isSent('access', 'planIds') && access === 'PLANS' ? { planIds } : {}),
    ...(isSent('seoTitle', 'seoDescription')
      ? { seo: { ...(title ? { title } : {}), ...(description ? { description } : {}) } }
      : {}),
  };
}

function toForm(entry: Entry, definitions: readonly BlockDefinition[]): EntryValues {
  const { locale, statuses, blocks, slug = '', access = 'PUBLIC', planIds = [], seo } = entry;
  const settings = { slug, access, planIds, seoTitle: seo?.title ?? '', seoDescription: seo?.description ?? '' };
  const values: EntryValues = { locale, status: statuses.at(-1)?.status ?? 'DRAFT', ...settings };
  for (const { id } of definitions) values[`block.${id}`] = blocks.find((block) => block.id === id)?.value ?? null;
  return values;
}

function emptyValues(definitions: readonly BlockDefinition[]): EntryValues {
  const values: EntryValues = { locale: ownLocale().slice(0, 2), status: 'DRAFT', ...NO_SETTINGS };
  for (const { id } of definitions) values[`block.${id}`] = null;
  return values;
}

type Options = {
  collection: Pick<Collection, 'id' | 'blocks'>;
  entryId: string | undefined;
  created: (id: string) => void;
  /** For content: edits the draft of a published entry, if there is one. True if a save creates one. */
  isDraft?: boolean;
  /** Called after each load and save. */
  seen?: (entry: Entry) => void;
};

const keyOf = (id: string) => `entry ${id}`;

export function useEntry({ collection, entryId, created, isDraft, seen }: Options) {
  const definitions = collection.blocks;
  /** The IDs of the blocks in the last request, because errors name blocks by index. */
  const sent = useRef<string[]>([]);
  const version = (entry: Entry & { etag?: string }) => {
    seen?.(entry);
    return { values: toForm(entry, definitions), etag: entry.etag, id: entry.id };
  };
  const read = (id: string, signal: AbortSignal) =>
    isDraft === undefined ? souk.entries.get(id, { signal }) : souk.entries.getDraft(id, { signal });
  const record = useRecord<EntryValues>({
    key: entryId ? keyOf(entryId) : `entry new ${collection.id}`,
    ...(entryId
      ? { load: async (signal: AbortSignal) => version(await read(entryId, signal)) }
      : { initial: emptyValues(definitions) }),
    save: async (changes, { ifMatch, values }) => {
      const blocks = blocksOf(definitions, values);
      sent.current = blocks.map(({ id }) => id);
      const { locale } = values;
      if (!entryId) {
        const statuses = [{ status: values.status as ContentStatusInput['status'] }];
        const settings = settingsOf(values, values);
        const made = await souk.entries.create({ collectionId: collection.id, locale, blocks, statuses, ...settings });
        return { ...version(made), key: keyOf(made.id) };
      }
      const hasBlocks = Object.keys(changes).some((name) => name.startsWith('block.'));
      const content = {
        ...(changes.locale === undefined ? {} : { locale }),
        ...(hasBlocks ? { blocks } : {}),
        ...settingsOf(changes, values),
      };
      const status =
        changes.status === undefined ? {} : { statuses: [{ status: changes.status as ContentStatusInput['status'] }] };
      const options = ifMatch ? { ifMatch } : {};
      if (!isDraft) return version(await souk.entries.update(entryId, { ...content, ...status }, options));
      const draft = await souk.entries.update(entryId, content, { ...options, query: { draft: true } });
      if (!changes.status) return version(draft);
      await souk.entries.update(entryId, status, { ifMatch: draft });
      return version(await souk.entries.getDraft(entryId));
    },
    saved: (saved) => {
      forget(`list entries ${collection.id}`);
      forget(`versions ${entryId}`);
      if (!entryId) created((saved as unknown as { id: string }).id);
    },
  });
  /** The error of a block, by its index or ID. */
  const problemOf = (id: string): string | undefined => {
    const at = sent.current.indexOf(id);
    const named = `blocks[${at}].value`;
    const details = isSoukError(record.error) ? record.error.details : [];
    const detail = details.find(
      ({ field }) =>
        field === `blocks.${id}` || field.startsWith(`blocks.${id}.`) || (at >= 0 && field.startsWith(named)),
    );
    return detail && messageOf(detail);
  };
  return { record, problemOf };
}

export function entryNames(definitions: readonly BlockDefinition[]): Record<string, string> {
  const names: Record<string, string> = {
    locale: t('content.language'),
    status: t('content.status'),
    slug: t('content.slug'),
    access: t('newsletters.access'),
    planIds: t('newsletters.accessPlans'),
    seoTitle: t('content.seoTitle'),
    seoDescription: t('content.seoDescription'),
  };
  for (const definition of definitions) names[`block.${definition.id}`] = labelOf(definition);
  return names;
}

type FieldsProps = {
  record: EntryRecord;
  definitions: readonly BlockDefinition[];
  problemOf: (id: string) => string | undefined;
};

export function EntryFields({ record, definitions, problemOf }: FieldsProps) {
  const { values } = record;
  return (
    <>
      {definitions.map((definition) => (
        <BlockField
          key={definition.id}
          definition={definition}
          value={values![`block.${definition.id}`]}
          onInput={(value) => record.set(`block.${definition.id}`, value)}
          locale={values!.locale}
          problem={problemOf(definition.id)}
        />
      ))}
    </>
  );
}
