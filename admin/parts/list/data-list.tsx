/**
 * A list of records that stays fast with 100,000 of them: it loads pages by cursor ahead of the scroll position and renders only the
 * visible rows. Search and filters are in the URL (`?q=…&status=…`), so a view can be linked and saved.
 *
 *   <DataList
 *     name="orders"                                     // for the cache and the saved views; `forget('list orders')` reloads it
 *     label={t('orders.title')}                         // the table's name
 *     columns={[{ head: t('…'), cell: (order) => … , isWide: true }]}   // the first cell is the link; isWide: hidden on phones
 *     load={async (query, cursor, signal) => rowsOf(await souk.orders.list({ query: query.q, … }, { signal }).page(cursor), toRow)}
 *     rowHref={(order) => href(`/orders/${order.id}`)}  rowName={(order) => `#${order.number}`}
 *     search={t('…')}  filters={[{ name: 'status', label: …, options: [['PAID', 'Paid']] }]}
 *     empty={<EmptyState title=… text=… action=… />}    // when there are no records
 *     bulk={(chosen, clear) => <button …/>}             // makes rows selectable
 *   />
 */
import type { Page } from '@souk/client';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { query as address } from '../../shell/router.ts';
import { t } from '../../text/index.ts';
import { SkeletonRows } from '../placeholders.tsx';
import { Problem } from '../problem.tsx';
import { isHidden } from '../toast.tsx';
import { type Filter, Filters, NoResults, SearchBox } from './filters.tsx';
import { BULK_KEY, ListTable, type TableProps } from './list-table.tsx';
import { SavedViews } from './saved-views.tsx';
import { useRows } from './use-rows.ts';

/** The first page is just large enough to fill the screen, so it loads faster. */
export const pageSize = (cursor: string | null) => (cursor === null ? 40 : 100);

/**
 * Reduces the records of a page to what their rows show. Long lists keep no more than that: with 10,000 whole records in memory, a
 * garbage collection takes longer than a frame.
 */
export const rowsOf = <T, R>({ items, ...page }: Page<T>, toRow: (item: T) => R): Page<R> => ({
  ...page,
  items: items.map(toRow),
});

export type Query = Record<string, string | undefined>;

type DataListProps<T extends { id: string }> = Pick<
  TableProps<T>,
  'label' | 'columns' | 'rowHref' | 'rowName' | 'onHover'
> & {
  name: string;
  load: (query: Query, cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;
  search?: string;
  filters?: Filter[];
  empty: JSX.Element;
  bulk?: (chosen: T[], clear: () => void) => ComponentChildren;
  hasViews?: boolean;
  children?: ComponentChildren;
};

export function DataList<T extends { id: string }>(props: DataListProps<T>) {
  const { name, search, filters = [], bulk } = props;
  const query: Query = { q: address.value.get('q') ?? undefined };
  for (const filter of filters) query[filter.name] = address.value.get(filter.name) ?? undefined;
  const isFiltered = Object.values(query).some(Boolean);
  const key = `list ${name} ${JSON.stringify(query)}`;
  const { rows, error, isLoading, reload, more } = useRows(key, (cursor, signal) => props.load(query, cursor, signal));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const items = rows?.items.filter(({ id }) => !isHidden(id));
  const clear = () => setChosen(new Set());
  // Excludes selected rows hidden by the current search: bulk actions change only what is visible.
  const picked = items?.filter(({ id }) => chosen.has(id)) ?? [];

  return (
    <section class="list" aria-busy={isLoading || rows?.key !== key || undefined}>
      <div class="list-bar">
        {search && <SearchBox label={search} />}
        <Filters filters={filters} />
        {props.hasViews && <SavedViews name={name} />}
        {props.children}
      </div>
      {bulk && picked.length > 0 && (
        <section class="bulk" aria-label={t('parts.selected', { count: picked.length })}>
          <strong>{t('parts.selected', { count: picked.length })}</strong>
          {bulk(picked, clear)}
          <button type="button" class="quiet" onClick={clear}>
            {t('parts.clearSelection')}
          </button>
          <span class="small wide-only">{t('parts.bulkHint', { key: BULK_KEY })}</span>
        </section>
      )}
      <Problem error={error} retry={reload} />
      {!items && !error && <SkeletonRows />}
      {items?.length === 0 && (isFiltered ? <NoResults filters={filters} /> : props.empty)}
      {items && items.length > 0 && (
        <ListTable
          {...props}
          isSelectable={bulk !== undefined}
          items={items}
          hasMore={rows?.cursor != null}
          more={more}
          chosen={chosen}
          choose={setChosen}
        />
      )}
    </section>
  );
}
