/** The grid itself: only the rows in sight are in the document; one cell has the focus, and arrows move it. */
import type { TargetedClipboardEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { statusText } from '../../parts/show.tsx';
import { t } from '../../text/index.ts';
import {
  type Column,
  cellKey,
  cellText,
  fillChanges,
  isEditable,
  parseBlock,
  pasteChanges,
  type Row,
  type Selection,
  type Sheet,
  undo,
  write,
} from './grid-model.ts';

const ROW_PX = 38;
const AROUND = 10;

type At = { y: number; x: number };

function headOf(column: Column): string {
  if (column.kind === 'price') return t('products.priceIn', { market: column.market.name });
  return t(`products.${column.kind}`);
}

const between = (a: At, b: At): Selection => ({
  top: Math.min(a.y, b.y),
  left: Math.min(a.x, b.x),
  bottom: Math.max(a.y, b.y),
  right: Math.max(a.x, b.x),
});

const MOVES: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-15, 0],
  PageDown: [15, 0],
};

export function Grid({ sheet, change }: { sheet: Sheet; change: (sheet: Sheet) => void }) {
  const { rows, columns } = sheet;
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<[number, number]>([0, 40]);
  const [at, setAt] = useState<At>({ y: 0, x: 0 });
  const [from, setFrom] = useState<At>(at);
  const [typed, showTyped] = useState<string | null>(null);
  // Keys may come faster than the page is shown anew.
  const typing = useRef<string | null>(null);
  const setTyped = (text: string | null) => {
    typing.current = text;
    showTyped(text);
  };
  const wantsFocus = useRef(false);
  const selection = between(from, at);

  const look = () => {
    const { scrollTop, clientHeight } = box.current!;
    const first = Math.max(0, Math.floor(scrollTop / ROW_PX) - AROUND);
    const last = Math.min(rows.length, Math.ceil((scrollTop + clientHeight) / ROW_PX) + AROUND);
    setRange((former) => (former[0] === first && former[1] === last ? former : [first, last]));
  };
  useLayoutEffect(look, [rows.length]);

  /** Into sight, then the focus. */
  useEffect(() => {
    if (!wantsFocus.current || typed !== null) return;
    wantsFocus.current = false;
    const { current } = box;
    if (!current) return;
    const top = (at.y + 1) * ROW_PX;
    if (top - ROW_PX < current.scrollTop + ROW_PX) current.scrollTop = Math.max(0, top - 2 * ROW_PX);
    else if (top + ROW_PX > current.scrollTop + current.clientHeight)
      current.scrollTop = top + 2 * ROW_PX - current.clientHeight;
    look();
    requestAnimationFrame(() => {
      if (typing.current === null) current.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus();
    });
  }, [at, typed]);

  function go(y: number, x: number, extend = false): void {
    const next = {
      y: Math.max(0, Math.min(rows.length - 1, y)),
      x: Math.max(0, Math.min(columns.length - 1, x)),
    };
    wantsFocus.current = true;
    setTyped(null);
    setAt(next);
    if (!extend) setFrom(next);
  }

  /** Once: an input that goes away tells that it lost the focus. */
  function commit(): void {
    const text = typing.current;
    if (text === null) return;
    setTyped(null);
    change(write(sheet, [{ row: rows[at.y]!, column: columns[at.x]!, text }]));
  }

  const begin = (text: string) => {
    if (isEditable(rows[at.y]!, columns[at.x]!)) setTyped(text);
  };

  function onKeyDown(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const { key, shiftKey } = event;
    const command = event.ctrlKey || event.metaKey;
    if (typing.current !== null) {
      onEditKey(event);
      return;
    }
    const move = MOVES[key];
    if (move) go(at.y + move[0], at.x + move[1], shiftKey);
    else if (key === 'Home') go(command ? 0 : at.y, 0, shiftKey);
    else if (key === 'End') go(command ? rows.length - 1 : at.y, columns.length - 1, shiftKey);
    else if (command && key.toLowerCase() === 'd') change(write(sheet, fillChanges(sheet, selection)));
    else if (command && key.toLowerCase() === 'z') change(undo(sheet));
    else if (key === 'Enter' || key === 'F2') begin(cellText(sheet, rows[at.y]!, columns[at.x]!));
    else if (key === 'Delete' || key === 'Backspace') change(write(sheet, pasteChanges(sheet, [['']], selection)));
    else if (key.length === 1 && !command && !event.altKey) begin(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onEditKey(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    if (event.key === 'Enter') {
      commit();
      go(at.y + 1, at.x);
    } else if (event.key === 'Tab') {
      commit();
      go(at.y, at.x + (event.shiftKey ? -1 : 1));
    } else if (event.key === 'Escape') {
      wantsFocus.current = true;
      setTyped(null);
    } else if (!(event.target instanceof HTMLInputElement) && event.key.length === 1) {
      setTyped(typing.current + event.key);
    } else {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') commit();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  function onPaste(event: TargetedClipboardEvent<HTMLDivElement>): void {
    const block = parseBlock(event.clipboardData?.getData('text/plain') ?? '');
    if (typed !== null && block.length <= 1 && (block[0]?.length ?? 0) <= 1) return;
    if (block.length === 0) return;
    event.preventDefault();
    setTyped(null);
    change(write(sheet, pasteChanges(sheet, block, selection)));
  }

  function onCopy(event: TargetedClipboardEvent<HTMLDivElement>): void {
    if (typed !== null) return;
    event.preventDefault();
    const { top, left, bottom, right } = selection;
    const lines = rows.slice(top, bottom + 1).map((row) =>
      columns
        .slice(left, right + 1)
        .map((column) => cellText(sheet, row, column))
        .join('\t'),
    );
    event.clipboardData?.setData('text/plain', lines.join('\n'));
  }

  const [first, last] = range;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the cells in it.
    <div class="grid-box" ref={box} onScroll={look} onKeyDown={onKeyDown} onPaste={onPaste} onCopy={onCopy}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table that one types into.
        role="grid"
        aria-label={t('products.table')}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.key} scope="col">
                {headOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={first} span={columns.length} />
          {rows.slice(first, last).map((row, i) => (
            <tr key={row.key} aria-rowindex={first + i + 2} class={row.isFirst ? 'first' : ''}>
              {columns.map((column, x) => {
                const y = first + i;
                const isHere = at.y === y && at.x === x;
                const isChosen =
                  y >= selection.top && y <= selection.bottom && x >= selection.left && x <= selection.right;
                return (
                  <Cell
                    key={column.key}
                    {...{ sheet, row, column, isHere, isChosen }}
                    typed={isHere ? typed : null}
                    type={setTyped}
                    commit={commit}
                    choose={(extend) => {
                      if (isHere && !extend) return;
                      commit();
                      go(y, x, extend);
                    }}
                    open={() => begin(cellText(sheet, row, column))}
                  />
                );
              })}
            </tr>
          ))}
          <Gap rows={rows.length - last} span={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

const Gap = ({ rows, span }: { rows: number; span: number }) =>
  rows > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus.
    <tr aria-hidden="true">
      <td colSpan={span} class="gap" style={{ height: `${rows * ROW_PX}px` }} />
    </tr>
  ) : null;

function focusOnce(input: HTMLInputElement | null): void {
  if (input && document.activeElement !== input) input.focus();
}

type CellProps = {
  sheet: Sheet;
  row: Row;
  column: Column;
  isHere: boolean;
  isChosen: boolean;
  typed: string | null;
  type: (text: string) => void;
  commit: () => void;
  choose: (extend: boolean) => void;
  open: () => void;
};

function Cell(props: CellProps) {
  const { sheet, row, column, isHere, isChosen, typed, type, commit, choose, open } = props;
  const key = cellKey(row, column);
  const problem = sheet.problems.get(key);
  const text = cellText(sheet, row, column);
  const shown = column.kind === 'status' && text ? statusText(text.toUpperCase()) : text;
  const label = `${headOf(column)}, ${row.product.name}, ${row.variant.name}`;
  const classes = [
    (column.kind === 'price' || column.kind === 'stock') && 'number',
    isChosen && 'chosen',
    sheet.edits.has(key) && 'edited',
    !isEditable(row, column) && 'fixed',
  ];
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a td that takes the focus is a cell of a grid.
      role="gridcell"
      class={classes.filter(Boolean).join(' ')}
      tabIndex={isHere ? 0 : -1}
      aria-selected={isChosen}
      aria-readonly={!isEditable(row, column)}
      aria-invalid={problem ? true : undefined}
      aria-label={problem ? `${label}: ${text}. ${problem}` : undefined}
      title={problem}
      onPointerDown={(event) => choose(event.shiftKey)}
      onDblClick={open}
    >
      {typed === null ? (
        <span>{shown}</span>
      ) : (
        <input
          aria-label={label}
          value={typed}
          // The cell was chosen to be typed into.
          ref={focusOnce}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={commit}
        />
      )}
      {problem && typed === null && <small class="cell-problem">{problem}</small>}
    </td>
  );
}
