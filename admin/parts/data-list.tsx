/**
 * A list of records that stays fast with 100,000 of them: pages by cursor, loaded ahead of the scrolling; only the rows in sight are
 * in the document. Search and filters stand in the address (`?q=…&status=…`), so that a view can be linked and saved.
 *
 *   <DataList
 *     name="orders"                                     // of the cache and the saved views; `forget('list orders')` reloads it
 *     label={t('orders.title')}                         // the table's name
 *     columns={[{ head: t('…'), cell: (order) => … , isWide: true }]}   // the first one's cell is the link; isWide: not on phones
 *     load={async (query, cursor, signal) => rowsOf(await souk.orders.list({ query: query.q, … }, { signal }).page(cursor), toRow)}
 *     rowHref={(order) => href(`/orders/${order.id}`)}  rowName={(order) => `#${order.number}`}
 *     search={t('…')}  filters={[{ name: 'status', label: …, options: [['PAID', 'Paid']] }]}
 *     empty={<EmptyState title=… text=… action=… />}    // when there is none at all
 *     bulk={(chosen, clear) => <button …/>}             // with it rows can be selected
 *   />
 */
import type { Page } from '@souk/client';
import { Component, type ComponentChildren, type JSX, type TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { query as address, setQuery } from '../shell/router.ts';
import { t } from '../text/index.ts';
import { isAway, noteAway, onForget, readCache, writeCache } from './load.ts';
import { Problem } from './problem.tsx';
import { SavedViews } from './saved-views.tsx';
import { isHidden } from './toast.tsx';

const TYPING_MS = 120;
const ROW_PX = 56;
const AHEAD_ROWS = 12;
/** In a list with chosen rows it leads to what can be done with them. */
export const BULK_KEY = 'B';
/** The next page is asked for when fewer rows than this are left below. */
const LOAD_AHEAD = 60;

/** The first page is what fits on a screen, to be there sooner. */
export const pageSize = (cursor: string | null) => (cursor === null ? 40 : 100);

/**
 * What the rows show of a page's records. A list that may become long keeps no more than that: with whole records of 10,000 rows a
 * garbage collection lasts longer than a frame.
 */
export const rowsOf = <T, R>({ items, ...page }: Page<T>, toRow: (item: T) => R): Page<R> => ({
  ...page,
  items: items.map(toRow),
});

export type Query = Record<string, string | undefined>;
export type Column<T> = {
  head: string;
  cell: (item: T) => ComponentChildren;
  isWide?: boolean;
  isNumber?: boolean;
};
export type Filter = { name: string; label: string; options: readonly (readonly [string, string])[] };

export type DataListProps<T extends { id: string }> = {
  name: string;
  label: string;
  columns: Column<T>[];
  load: (query: Query, cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;
  rowHref?: (item: T) => string;
  rowName: (item: T) => string;
  search?: string;
  filters?: Filter[];
  empty: JSX.Element;
  bulk?: (chosen: T[], clear: () => void) => ComponentChildren;
  /** Before somebody clicks. */
  onHover?: (item: T) => void;
  hasViews?: boolean;
  children?: ComponentChildren;
};

type Rows<T> = { key: string; items: T[]; cursor: string | null };

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
  // Not what another search has left out: nobody sees that it would be changed too.
  const picked = items?.filter(({ id }) => chosen.has(id)) ?? [];

  return (
    <section class="list" aria-busy={isLoading || rows?.key !== key || undefined}>
      <div class="list-bar">
        {search && <SearchBox label={search} />}
        {filters.map((filter) => (
          <FilterBox key={filter.name} filter={filter} />
        ))}
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
      {items?.length === 0 && (isFiltered ? <NothingFits filters={filters} /> : props.empty)}
      {items && items.length > 0 && (
        <Table {...props} items={items} hasMore={rows?.cursor != null} more={more} chosen={chosen} choose={setChosen} />
      )}
    </section>
  );
}

/** The rows so far. A change of the query cancels what is under way; the former rows stay until there are others. */
function useRows<T>(key: string, load: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>) {
  const [rows, setRows] = useState<Rows<T> | undefined>(() => readCache(key));
  const [state, setState] = useState<{ isLoading: boolean; error?: unknown }>({ isLoading: true });
  const [count, setCount] = useState(0);
  const reload = () => setCount((before) => before + 1);
  const request = useRef<AbortController | null>(null);
  const shown = rows?.key === key ? rows : (readCache<Rows<T>>(key) ?? rows);

  function ask(cursor: string | null, former: T[]): void {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    setState({ isLoading: true });
    load(cursor, controller.signal).then(
      (page) => {
        if (controller.signal.aborted) return;
        const next = { key, items: [...former, ...page.items], cursor: page.cursor };
        writeCache(key, next);
        setRows(next);
        setState({ isLoading: false });
        request.current = null;
      },
      (error) => {
        if (controller.signal.aborted) return;
        noteAway(error);
        setState({ isLoading: false, error });
        request.current = null;
      },
    );
  }

  useEffect(() => {
    ask(null, []);
    return () => request.current?.abort();
  }, [key, count]);
  useEffect(() => onForget((prefix) => key.startsWith(prefix) && reload()), [key]);
  const isBack = !isAway.value;
  useEffect(() => {
    if (isBack && state.error) reload();
  }, [isBack]);

  function more(): void {
    if (request.current || !shown?.cursor || shown.key !== key || state.error) return;
    ask(shown.cursor, shown.items);
  }
  return { rows: shown, ...state, reload, more };
}

function SearchBox({ label }: { label: string }) {
  const inAddress = address.value.get('q') ?? '';
  const [text, setText] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typed = useRef(inAddress);
  // Whoever has gone to another page meanwhile does not get the search into its address.
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (inAddress !== typed.current) setText(inAddress);
    typed.current = inAddress;
  }, [inAddress]);
  return (
    <search aria-busy={text.trim() !== inAddress || undefined}>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            typed.current = value.trim();
            setQuery({ q: value.trim() });
          }, TYPING_MS);
        }}
      />
    </search>
  );
}

function FilterBox({ filter: { name, label, options } }: { filter: Filter }) {
  const value = address.value.get(name) ?? '';
  return (
    <select
      class={value ? 'filter set' : 'filter'}
      aria-label={label}
      value={value}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      <option value="">{`${label}: ${t('parts.all')}`}</option>
      {options.map(([each, text]) => (
        <option key={each} value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

function NothingFits({ filters }: { filters: Filter[] }) {
  const none = Object.fromEntries([['q', ''], ...filters.map(({ name }) => [name, ''])]);
  return (
    <div class="empty">
      <h2>{t('parts.nothingFits')}</h2>
      <p>{t('parts.nothingFitsText')}</p>
      <button type="button" class="quiet" onClick={() => setQuery(none)}>
        {t('parts.clearFilters')}
      </button>
    </div>
  );
}

export function EmptyState(props: { title: string; text: string; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      {props.action}
    </div>
  );
}

export const SkeletonRows = ({ count = 8 }: { count?: number }) => (
  <div class="skeleton-rows">
    <span class="visually-hidden">{t('parts.loading')}</span>
    {Array.from({ length: count }, (_, i) => (
      <div key={i} class="skeleton" />
    ))}
  </div>
);

type TableProps<T extends { id: string }> = DataListProps<T> & {
  items: T[];
  hasMore: boolean;
  more: () => void;
  chosen: ReadonlySet<string>;
  choose: (change: (former: ReadonlySet<string>) => ReadonlySet<string>) => void;
};

/** First and last row in sight, with some around them. */
function useWindow(body: { current: HTMLElement | null }, count: number): [number, number] {
  const [range, setRange] = useState<[number, number]>([0, Math.min(count, 40)]);
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (!body.current) return;
      const above = -body.current.getBoundingClientRect().top;
      const first = Math.max(0, Math.min(count, Math.floor(above / ROW_PX)) - AHEAD_ROWS);
      const last = Math.min(count, Math.max(0, Math.ceil((above + innerHeight) / ROW_PX)) + AHEAD_ROWS);
      setRange((former) => (former[0] === first && former[1] === last ? former : [first, last]));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', soon, { passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', soon);
      removeEventListener('resize', soon);
    };
  }, [count]);
  return range;
}

function Table<T extends { id: string }>(props: TableProps<T>) {
  const { items, columns, label, hasMore, more, rowHref, rowName, onHover, bulk, chosen, choose } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [first, last] = useWindow(body, items.length);
  useEffect(() => {
    if (hasMore && items.length - last < LOAD_AHEAD) more();
  });
  const span = columns.length + (bulk ? 1 : 0);
  const all = items.length > 0 && items.every(({ id }) => chosen.has(id));
  const toggle = (id: string) =>
    choose((former) => {
      const next = new Set(former);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <table aria-rowcount={hasMore ? -1 : items.length + 1} onKeyDown={moveByKey}>
      <caption class="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {bulk && (
            <th class="select" scope="col">
              <input
                type="checkbox"
                aria-label={t('parts.selectAll')}
                checked={all}
                onChange={() => choose(() => new Set(all ? [] : items.map(({ id }) => id)))}
              />
            </th>
          )}
          {columns.map(({ head, isWide, isNumber }) => (
            <th key={head} scope="col" class={`${isWide ? 'wide-only' : ''} ${isNumber ? 'number' : ''}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {first > 0 && <Spacer rows={first} span={span} />}
        {items.slice(first, last).map((item, i) => (
          <Row
            key={item.id}
            {...{ item, columns, rowHref, rowName, onHover }}
            index={first + i + 2}
            isChosen={chosen.has(item.id)}
            toggle={bulk && toggle}
          />
        ))}
        {last < items.length && <Spacer rows={items.length - last} span={span} />}
      </tbody>
    </table>
  );
}

const Spacer = ({ rows, span }: { rows: number; span: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus.
  <tr aria-hidden="true" class="spacer">
    <td colSpan={span} style={{ height: `${rows * ROW_PX}px` }} />
  </tr>
);

type RowProps<T extends { id: string }> = Pick<DataListProps<T>, 'columns' | 'rowHref' | 'rowName' | 'onHover'> & {
  item: T;
  index: number;
  isChosen: boolean;
  /** Undefined: rows are not selected. */
  toggle: ((id: string) => void) | undefined;
};

class Row<T extends { id: string }> extends Component<RowProps<T>> {
  /** While one scrolls, only new rows are made. What else a row is given comes with the columns. */
  override shouldComponentUpdate(next: RowProps<T>): boolean {
    const { item, index, columns, isChosen } = this.props;
    return next.item !== item || next.index !== index || next.columns !== columns || next.isChosen !== isChosen;
  }

  render({ item, columns, rowHref, rowName, onHover, index, isChosen, toggle }: RowProps<T>) {
    return (
      <tr aria-rowindex={index} onPointerEnter={() => onHover?.(item)}>
        {toggle && (
          <td class="select">
            <input
              type="checkbox"
              aria-label={t('parts.selectRow', { name: rowName(item) })}
              checked={isChosen}
              onChange={() => toggle(item.id)}
            />
          </td>
        )}
        {columns.map(({ head, cell, isWide, isNumber }, i) => (
          <td key={head} class={`${isWide ? 'wide-only' : ''} ${isNumber ? 'number' : ''}`}>
            {i === 0 && rowHref ? (
              <a href={rowHref(item)} class="row-link" onFocus={() => onHover?.(item)}>
                {cell(item)}
              </a>
            ) : (
              cell(item)
            )}
          </td>
        ))}
      </tr>
    );
  }
}

/** Arrow keys go from row to row, from links as from boxes; one key leads to the actions above, however far down one is. */
function moveByKey(event: TargetedKeyboardEvent<HTMLTableElement>): void {
  const { key, currentTarget: table } = event;
  const active = document.activeElement as HTMLElement;
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  let next: HTMLElement | null | undefined;
  if (step !== 0) {
    const all = [
      ...table.querySelectorAll<HTMLElement>(active.matches('.select input') ? '.select input' : '.row-link'),
    ];
    const at = all.indexOf(active);
    next = at < 0 ? null : all[at + step];
  } else if (key.toUpperCase() === BULK_KEY && !event.ctrlKey && !event.metaKey && !event.altKey) {
    next = table.parentElement!.querySelector<HTMLElement>('.bulk button');
  }
  if (!next) return;
  event.preventDefault();
  next.focus();
}
