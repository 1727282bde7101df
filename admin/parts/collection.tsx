/** Loads, saves and deletes a collection in a form, for content and newsletters. */
import type { Collection, CollectionChanges } from '@souk/client';
import { useState } from 'preact/hooks';
import { navigate } from '../shell/router.ts';
import { souk } from '../shell/session.ts';
import { t } from '../text/index.ts';
import { Confirm } from './dialog.tsx';
import { useRecord } from './editing/use-record.ts';
import { forget } from './load.ts';
import { deleteLater } from './toast.tsx';

export const COLLECTION_STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
export type CollectionStatus = (typeof COLLECTION_STATUSES)[number];
export const statusOfCollection = ({ statuses }: Collection) =>
  (statuses.at(-1)?.status ?? 'DRAFT') as CollectionStatus;

type Shared = { name: string; slug: string; status: CollectionStatus };

type Options<T extends Shared> = {
  /** Undefined for a new collection. */
  id: string | undefined;
  /** The path of its page: `/content`. */
  section: string;
  /** The prefix of the cache keys of its list. */
  list: string;
  empty: T;
  toForm: (collection: Collection) => T;
  /** Fields to send besides name, slug and status. */
  toInput: (values: T) => CollectionChanges;
};

const formKey = (id: string) => `collection form ${id}`;

export function useCollection<T extends Shared>({ id, section, list, empty, toForm, toInput }: Options<T>) {
  const version = (collection: Collection & { etag?: string }) => ({
    values: toForm(collection),
    etag: collection.etag,
    id: collection.id,
  });
  const created = (collection: Collection) => ({ ...version(collection), key: formKey(collection.id) });
  return useRecord<T>({
    key: id ? formKey(id) : `${list} new`,
    ...(id
      ? { load: async (signal: AbortSignal) => version(await souk.collections.get(id, { signal })) }
      : { initial: empty }),
    save: async (changes, { ifMatch, values }) => {
      const { name, slug, status } = values;
      const input = { ...toInput(values), name, ...(slug ? { slug } : {}) };
      if (!id) return created(await souk.collections.create({ ...input, status }));
      const statuses = changes.status === undefined ? {} : { statuses: [{ status }] };
      return version(await souk.collections.update(id, { ...input, ...statuses }, ifMatch ? { ifMatch } : {}));
    },
    saved: (saved) => {
      forget(list);
      if (id) forget(`collection ${id}`);
      else navigate(`${section}/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
}

type DeleteProps = { id: string; name: string; section: string; list: string; title: string; text: string };

/** Deletes the collection with its content, after a confirmation and with an undo. */
export function DeleteCollection({ id, name, section, list, title, text }: DeleteProps) {
  const [isAsking, setAsking] = useState(false);
  const run = () => {
    navigate(section);
    const remove = () => souk.collections.delete(id, { query: { cascade: true } });
    deleteLater({ name, hides: id, reloads: list, run: remove });
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        {t('parts.delete')}
      </button>
      {isAsking && (
        <Confirm title={title} text={text} run={run} action={t('parts.delete')} close={() => setAsking(false)} />
      )}
    </>
  );
}
