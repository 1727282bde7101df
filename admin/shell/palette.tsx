/** Searches products, orders, customers, entries and actions. Loaded when first opened. */
import type { Client } from '@souk/client';
import { useEffect, useId, useState } from 'preact/hooks';
import { useModal } from '../parts/dialog.tsx';
import { entryName } from '../parts/records/sources.ts';
import { statusOf, statusText } from '../parts/show.tsx';
import { t } from '../text/index.ts';
import { href, navigate } from './router.ts';
import { SECTIONS } from './sections.ts';
import { can, type Permission, souk } from './session.ts';

type Hit = { id: string; kind: string; text: string; detail?: string; path: string };

const TYPING_MS = 120;
const MAX_RESULTS = 5;

function actions(): Hit[] {
  const shown = SECTIONS.filter(({ permissions }) => permissions.length === 0 || permissions.some(can));
  return shown.flatMap(({ text, path, actions: own = [] }) => [
    { id: `section-${path}`, kind: t('shell.paletteActions'), text: t(text), path: `/${path}` },
    ...own
      .filter(({ permission }) => can(permission))
      .map((each) => ({
        id: `action-${each.path}`,
        kind: t('shell.paletteActions'),
        text: t(each.text),
        path: each.path,
      })),
  ]);
}

type Source = { permissions: Permission[]; find: (query: string, signal: AbortSignal) => Promise<Hit[]> };

const sources = ({ products, orders, customers, entries }: Client): Source[] => [
  {
    permissions: ['ORDER_READ', 'ORDER_WRITE'],
    find: async (query, signal) =>
      (await orders.list({ query: query.replace(/^#/, ''), limit: MAX_RESULTS }, { signal }).page()).items.map(
        (order) => ({
          id: order.id,
          kind: t('shell.orders'),
          text: `#${order.number}`,
          detail: [order.email, statusText(statusOf(order.statuses))].filter(Boolean).join(' · '),
          path: `/orders/${order.id}`,
        }),
      ),
  },
  {
    permissions: ['CATALOG_WRITE'],
    find: async (query, signal) =>
      (await products.list({ query, limit: MAX_RESULTS }, { signal }).page()).items.map(({ id, name, category }) => ({
        id,
        kind: t('shell.products'),
        text: name,
        detail: category,
        path: `/products/${id}`,
      })),
  },
  {
    permissions: ['CUSTOMER_READ', 'CUSTOMER_WRITE'],
    find: async (query, signal) =>
      (await customers.list({ query, limit: MAX_RESULTS }, { signal }).page()).items.map(({ id, name, email }) => ({
        id,
        kind: t('shell.customers'),
        text: name || email || id,
        detail: name ? (email ?? '') : '',
        path: `/customers/${id}`,
      })),
  },
  {
    permissions: ['CONTENT_READ', 'CONTENT_WRITE'],
    find: async (query, signal) =>
      (await entries.list({ query, limit: MAX_RESULTS }, { signal }).page()).items
        .filter(({ owner }) => owner.startsWith('collection:'))
        .map((entry) => ({
          id: entry.id,
          kind: t('shell.content'),
          text: entryName(entry),
          path: `/content/${entry.owner.slice('collection:'.length)}/${entry.id}`,
        })),
  },
];

function useHits(query: string): Hit[] {
  const [found, setFound] = useState<{ query: string; hits: Hit[] }>({ query: '', hits: [] });
  useEffect(() => {
    if (!query) return setFound({ query, hits: [] });
    const controller = new AbortController();
    const timer = setTimeout(() => {
      for (const { permissions, find } of sources(souk)) {
        if (!permissions.some(can)) continue;
        find(query, controller.signal).then(
          (hits) => {
            if (controller.signal.aborted) return;
            setFound((previous) => ({ query, hits: previous.query === query ? [...previous.hits, ...hits] : hits }));
          },
          () => {},
        );
      }
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);
  const words = query.toLowerCase();
  const matching = actions().filter(({ text }) => text.toLowerCase().includes(words));
  return [...matching, ...(query ? found.hits : [])];
}

export default function Palette({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const dialog = useModal();
  const hits = useHits(text.trim());
  useEffect(() => setAt(0), [text]);
  const chosen = Math.min(at, hits.length - 1);
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    close();
    navigate(hit.path);
  };
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <dialog ref={dialog} class="palette" aria-label={t('shell.searchAll')} onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-label={t('shell.searchAll')}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
        aria-autocomplete="list"
        placeholder={t('shell.palettePlaceholder')}
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt((chosen + 1) % Math.max(1, hits.length));
          else if (event.key === 'ArrowUp') setAt((chosen - 1 + hits.length) % Math.max(1, hits.length));
          else if (event.key === 'Enter') go(hits[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      <div class="palette-hits" id={`${id}-list`} role="listbox" aria-label={t('shell.paletteResults')}>
        {hits.map((hit, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the combobox does the same.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox.
          <div
            key={hit.id}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === chosen}
            data-href={href(hit.path)}
            onPointerMove={() => setAt(i)}
            onClick={() => go(hit)}
          >
            <span class="palette-text">{hit.text}</span>
            {hit.detail && <span class="quiet small">{hit.detail}</span>}
            <span class="palette-kind">{hit.kind}</span>
          </div>
        ))}
      </div>
      <p class="quiet small" role="status">
        {hits.length === 0 && text ? t('shell.paletteNoResults', { query: text }) : t('shell.paletteHint')}
      </p>
    </dialog>
  );
}
