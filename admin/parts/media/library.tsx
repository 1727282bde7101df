/** Loads the media library page by page, for the section and the picker: `useLibrary({ text, type })`. */
import type { MediaItem } from '@souk/client';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { noteUnreachable, onForget } from '../load.ts';
import { EmptyState } from '../placeholders.tsx';
import { Problem } from '../problem.tsx';
import { isHidden } from '../toast.tsx';

const KINDS = ['IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT'] as const;
export type Kind = (typeof KINDS)[number];

const PAGE = 60;
const TYPING_MS = 150;

export function useLibrary({ text, type }: { text: string; type: Kind | '' }) {
  const [items, setItems] = useState<MediaItem[]>();
  const [cursor, setCursor] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const [count, setCount] = useState(0);
  const request = useRef<AbortController | null>(null);

  async function ask(after: string | null, previous: MediaItem[]): Promise<void> {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    const query = { limit: PAGE, ...(text ? { query: text } : {}), ...(type ? { type } : {}) };
    try {
      const page = await souk.media.list(query, { signal: controller.signal }).page(after);
      if (controller.signal.aborted) return;
      setItems([...previous, ...page.items]);
      setCursor(page.cursor);
      setError(undefined);
    } catch (problem) {
      if (controller.signal.aborted) return;
      noteUnreachable(problem);
      setError(problem);
    }
  }

  useEffect(() => {
    const timer = setTimeout(() => ask(null, []), text ? TYPING_MS : 0);
    return () => {
      clearTimeout(timer);
      request.current?.abort();
    };
  }, [text, type, count]);
  useEffect(() => onForget((prefix) => prefix === 'media' && setCount((before) => before + 1)), []);
  return {
    items: items?.filter(({ id }) => !isHidden(id)),
    more: cursor === null ? null : () => ask(cursor, items ?? []),
    error,
    reload: () => setCount((before) => before + 1),
    /** Adds a file that was just uploaded. */
    put: (item: MediaItem) => setItems((before = []) => [item, ...before.filter(({ id }) => id !== item.id)]),
  };
}

type GridProps = {
  library: ReturnType<typeof useLibrary>;
  isFiltered: boolean;
  children: (item: MediaItem) => JSX.Element;
};

export function LibraryGrid({ library, isFiltered, children }: GridProps) {
  const { items, more, error, reload } = library;
  return (
    <>
      <Problem error={error} retry={reload} />
      {!items && !error && <div class="skeleton media-wait" />}
      {items?.length === 0 &&
        (isFiltered ? (
          <EmptyState title={t('parts.noResults')} text={t('parts.noResultsText')} />
        ) : (
          <EmptyState title={t('media.none')} text={t('media.noneText')} />
        ))}
      {items && items.length > 0 && (
        <ul class="media-grid" aria-label={t('media.title')}>
          {items.map((item) => (
            <li key={item.id}>{children(item)}</li>
          ))}
        </ul>
      )}
      {more && (
        <button type="button" class="quiet" onClick={more}>
          {t('media.more')}
        </button>
      )}
    </>
  );
}

type BarProps = { text: string; setText: (text: string) => void; type: Kind | ''; setType?: (type: Kind | '') => void };

export function LibraryBar({ text, setText, type, setType }: BarProps) {
  return (
    <div class="list-bar">
      <search>
        <input
          type="search"
          aria-label={t('media.search')}
          placeholder={t('media.search')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </search>
      {setType && (
        <select
          class="filter"
          aria-label={t('media.type')}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as Kind | '')}
        >
          <option value="">{`${t('media.type')}: ${t('parts.all')}`}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`media.${kind}`)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
