/** A collection in a form, for content and newsletters: how it is loaded, saved and deleted. */
import type { Collection, CollectionInput } from '@souk/client';
import { useState } from 'preact/hooks';
import { navigate } from '../shell/router.ts';
import { souk } from '../shell/session.ts';
import { t } from '../text/index.ts';
import { Confirm } from './dialog.tsx';
import { forget } from './load.ts';
import { useRecord } from './record.tsx';
import { deleteLater } from './toast.tsx';

export const COLLECTION_STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const;
export type CollectionStatus = (typeof COLLECTION_STATUSES)[number];
export const statusOfCollection = ({ statuses }: Collection) =>
  (statuses.at(-1)?.status ?? 'DRAFT') as CollectionStatus;

type Shared = { name: string; slug: string; status: CollectionStatus };

type Options<T extends Shared> = {
  /** Undefined: it is new. */
  id: string | undefined;
  /** Where its page is: `/content`. */
  room: string;
  /** The beginning of the cache keys of its list. */
  list: string;
  empty: T;
  toForm: (collection: Collection) => T;
  /** What is sent beside name, slug and status. */
  toInput: (values: T) => Omit<CollectionInput, 'name'>;
};

const formKey = (id: string) => `collection form ${id}`;

export function useCollection<T extends Shared>({ id, room, list, empty, toForm, toInput }: Options<T>) {
  const version = (collection: Collection & { etag?: string }) => ({
    values: toForm(collection),
    etag: collection.etag,
    id: collection.id,
  });
  const made = (collection: Collection) => ({ ...version(collection), key: formKey(collection.id) });
  return useRecord<T>({
    key: id ? formKey(id) : `${list} new`,
    ...(id
      ? { load: async (signal: AbortSignal) => version(await souk.collections.get(id, { signal })) }
      : { initial: empty }),
    save: async (changes, { ifMatch, values }) => {
      const { name, slug, status } = values;
      const input = { ...toInput(values), name, ...(slug ? { slug } : {}) };
      if (!id) return made(await souk.collections.create({ ...input, status }));
      const statuses = changes.status === undefined ? {} : { statuses: [{ status }] };
      return version(await souk.collections.update(id, { ...input, ...statuses }, ifMatch ? { ifMatch } : {}));
    },
    saved: (saved) => {
      forget(list);
      if (id) forget(`collection ${id}`);
      else navigate(`${room}/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
}

type DeleteProps = { id: string; name: string; room: string; list: string; title: string; text: string };

/** With all that is in it: asked first, and to be undone for a while. */
export function DeleteCollection({ id, name, room, list, title, text }: DeleteProps) {
  const [isAsking, setAsking] = useState(false);
  const run = () => {
    navigate(room);
    const remove = () => souk.collections.delete(id, { query: { cascade: true } });
    deleteLater({ name, hides: id, reloads: list, run: remove });
  };
  return (
    <>
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        {t('parts.delete')}
      </button>
      {isAsking && <Confirm {...{ title, text, run }} action={t('parts.delete')} close={() => setAsking(false)} />}
    </>
  );
}
