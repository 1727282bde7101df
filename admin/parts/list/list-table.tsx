/** The table of a list. Only the rows near the viewport are in the document. */
import { Component, type ComponentChildren, type TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../text/index.ts';

const ROW_PX = 56;
const AHEAD_ROWS = 12;
/** Loads the next page when fewer than this many rows remain below the viewport. */
const LOAD_AHEAD = 60;
/** Moves the focus from the selected rows to the bulk actions. */
export const BULK_KEY = 'B';

type Column<T> = {
  head: string;
  cell: (item: T) => ComponentChildren;
  isWide?: boolean;
  isNumber?: boolean;
  /** Takes the remaining width, instead of the link. */
  isLong?: boolean;
};

export type TableProps<T extends { id: string }> = {
  label: string;
  columns: Column<T>[];
  rowHref?: (item: T) => string;
  rowName: (item: T) => string;
  /** Called before a click, to prefetch the page. */
  onHover?: (item: T) => void;
  /** Rows can be selected. */
  isSelectable: boolean;
  items: T[];
  hasMore: boolean;
  more: () => void;
  chosen: ReadonlySet<string>;
  choose: (change: (previous: ReadonlySet<string>) => ReadonlySet<string>) => void;
};

/** The range of rows to render: the visible ones and some around them. */
function useWindow(body: { current: HTMLElement | null }, count: number): [number, number] {
  const [range, setRange] = useState<[number, number]>([0, Math.min(count, 40)]);
  useLayoutEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (!body.current) return;
      const above = -body.current.getBoundingClientRect().top;
      const first = Math.max(0, Math.min(count, Math.floor(above / ROW_PX)) - AHEAD_ROWS);
      const last = Math.min(count, Math.max(0, Math.ceil((above + innerHeight) / ROW_PX)) + AHEAD_ROWS);
      setRange((previous) => (previous[0] === first && previous[1] === last ? previous : [first, last]));
    };
    const scheduleMeasure = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    addEventListener('scroll', scheduleMeasure, { passive: true });
    addEventListener('resize', scheduleMeasure);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', scheduleMeasure);
      removeEventListener('resize', scheduleMeasure);
    };
  }, [count]);
  return range;
}

export function ListTable<T extends { id: string }>(props: TableProps<T>) {
  const { items, columns, label, hasMore, more, rowHref, rowName, onHover, isSelectable, chosen, choose } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [first, last] = useWindow(body, items.length);
  useEffect(() => {
    if (hasMore && items.length - last < LOAD_AHEAD) more();
  });
  const span = columns.length + (isSelectable ? 1 : 0);
  const all = items.length > 0 && items.every(({ id }) => chosen.has(id));
  const toggle = (id: string) =>
    choose((previous) => {
      const next = new Set(previous);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <table aria-rowcount={hasMore ? -1 : items.length + 1} onKeyDown={moveByKey}>
      <caption class="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {isSelectable && (
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
            item={item}
            columns={columns}
            rowHref={rowHref}
            rowName={rowName}
            onHover={onHover}
            index={first + i + 2}
            isChosen={chosen.has(item.id)}
            toggle={isSelectable ? toggle : undefined}
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

type RowProps<T extends { id: string }> = Pick<TableProps<T>, 'columns' | 'rowHref' | 'rowName' | 'onHover'> & {
  item: T;
  index: number;
  isChosen: boolean;
  /** Undefined: rows cannot be selected. */
  toggle: ((id: string) => void) | undefined;
};

class Row<T extends { id: string }> extends Component<RowProps<T>> {
  /** Scrolling renders new rows only. The other properties change together with the columns. */
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
        {columns.map(({ head, cell, isWide, isNumber, isLong }, i) => (
          <td key={head} class={`${isWide ? 'wide-only' : ''} ${isNumber ? 'number' : ''} ${isLong ? 'long' : ''}`}>
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

/** Arrow keys move between the links or checkboxes of the rows; the bulk key moves to the bulk actions above the table. */
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
