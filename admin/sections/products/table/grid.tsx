/** A grid to type into. Only the rows near the viewport are in the document; one cell has the focus, and arrow keys move it. */
import type { TargetedClipboardEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../text/index.ts';
import { Cell, headOf } from './grid-cell.tsx';
import {
  cellText,
  fillChanges,
  isEditable,
  parseBlock,
  pasteChanges,
  type Selection,
  type Sheet,
  undo,
  write,
} from './grid-model.ts';

const ROW_PX = 38;
const EXTRA_ROWS = 10;

type At = { y: number; x: number };

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

type GridProps = { sheet: Sheet; change: (sheet: Sheet) => void };

export function Grid({ sheet: given, change: changeSheet }: GridProps) {
  const { rows, columns } = given;
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<[number, number]>([0, 40]);
  // Keys may be pressed faster than the grid renders, so their handlers read refs.
  const place = useRef<{ at: At; from: At }>({ at: { y: 0, x: 0 }, from: { y: 0, x: 0 } });
  const [, show] = useState(0);
  const latest = useRef(given);
  latest.current = given;
  const change = (next: Sheet) => {
    latest.current = next;
    changeSheet(next);
  };
  const [typed, renderTyped] = useState<string | null>(null);
  const typing = useRef<string | null>(null);
  const setTyped = (text: string | null) => {
    typing.current = text;
    renderTyped(text);
  };
  const wantsFocus = useRef(false);
  const { at, from } = place.current;
  const selection = between(from, at);

  const measure = () => {
    const { scrollTop, clientHeight } = box.current!;
    const first = Math.max(0, Math.floor(scrollTop / ROW_PX) - EXTRA_ROWS);
    const last = Math.min(rows.length, Math.ceil((scrollTop + clientHeight) / ROW_PX) + EXTRA_ROWS);
    setRange((previous) => (previous[0] === first && previous[1] === last ? previous : [first, last]));
  };
  useLayoutEffect(measure, [rows.length]);

  /** Scrolls to the current cell, then focuses it. */
  useEffect(() => {
    if (!wantsFocus.current || typed !== null) return;
    wantsFocus.current = false;
    const { current } = box;
    if (!current) return;
    // The latest place, which may be ahead of the rendered one.
    const top = (place.current.at.y + 1) * ROW_PX;
    if (top - ROW_PX < current.scrollTop + ROW_PX) current.scrollTop = Math.max(0, top - 2 * ROW_PX);
    else if (top + ROW_PX > current.scrollTop + current.clientHeight)
      current.scrollTop = top + 2 * ROW_PX - current.clientHeight;
    measure();
    requestAnimationFrame(() => {
      const { at: here } = place.current;
      if (typing.current === null) focusCell(here.y, here.x);
    });
  }, [at, typed]);

  function focusCell(y: number, x: number): boolean {
    const cell = box.current?.querySelector<HTMLElement>(`[data-cell="${y} ${x}"]`);
    cell?.focus({ preventScroll: true });
    return cell != null;
  }

  /** Moves the focus immediately, so that the next key press goes there. */
  function go(y: number, x: number, extend = false): void {
    const next = {
      y: Math.max(0, Math.min(rows.length - 1, y)),
      x: Math.max(0, Math.min(columns.length - 1, x)),
    };
    wantsFocus.current = true;
    setTyped(null);
    place.current = { at: next, from: extend ? place.current.from : next };
    show((before) => before + 1);
    if (!focusCell(next.y, next.x)) box.current?.focus();
  }

  /** Runs once per edit, although a removed input also fires blur. */
  function commit(): void {
    const text = typing.current;
    if (text === null) return;
    setTyped(null);
    const { at: here } = place.current;
    change(write(latest.current, [{ row: rows[here.y]!, column: columns[here.x]!, text }]));
  }

  const begin = (text: string) => {
    const { at: here } = place.current;
    if (isEditable(rows[here.y]!, columns[here.x]!)) setTyped(text);
  };

  function onKeyDown(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const { key, shiftKey } = event;
    const { at: here, from: start } = place.current;
    const chosen = between(start, here);
    const sheet = latest.current;
    const command = event.ctrlKey || event.metaKey;
    if (typing.current !== null) {
      onEditKey(event);
      return;
    }
    const move = MOVES[key];
    if (move) go(here.y + move[0], here.x + move[1], shiftKey);
    else if (key === 'Home') go(command ? 0 : here.y, 0, shiftKey);
    else if (key === 'End') go(command ? rows.length - 1 : here.y, columns.length - 1, shiftKey);
    else if (command && key.toLowerCase() === 'd') change(write(sheet, fillChanges(sheet, chosen)));
    else if (command && key.toLowerCase() === 'z' && sheet.past.length > 0) change(undo(sheet));
    else if (key === 'Enter' || key === 'F2') begin(cellText(sheet, rows[here.y]!, columns[here.x]!));
    else if (key === 'Delete' || key === 'Backspace') change(write(sheet, pasteChanges(sheet, [['']], chosen)));
    else if (key.length === 1 && !command && !event.altKey) begin(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onEditKey(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const { at: here } = place.current;
    if (event.key === 'Enter') {
      commit();
      go(here.y + 1, here.x);
    } else if (event.key === 'Tab') {
      commit();
      go(here.y, here.x + (event.shiftKey ? -1 : 1));
    } else if (event.key === 'Escape') {
      setTyped(null);
      focusCell(here.y, here.x);
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
    const { at: here, from: start } = place.current;
    change(write(latest.current, pasteChanges(latest.current, block, between(start, here))));
  }

  function onCopy(event: TargetedClipboardEvent<HTMLDivElement>): void {
    if (typed !== null) return;
    event.preventDefault();
    const { top, left, bottom, right } = selection;
    const lines = rows.slice(top, bottom + 1).map((row) =>
      columns
        .slice(left, right + 1)
        .map((column) => cellText(given, row, column))
        .join('\t'),
    );
    event.clipboardData?.setData('text/plain', lines.join('\n'));
  }

  const [first, last] = range;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of its cells.
    <div
      class="grid-box"
      ref={box}
      tabIndex={-1}
      onScroll={measure}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onCopy={onCopy}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an editable table is a grid.
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
          <Spacer rows={first} span={columns.length} />
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
                    sheet={given}
                    row={row}
                    column={column}
                    isHere={isHere}
                    isChosen={isChosen}
                    name={`${y} ${x}`}
                    typed={isHere ? typed : null}
                    type={setTyped}
                    commit={commit}
                    choose={(extend) => {
                      if (isHere && !extend) return;
                      commit();
                      go(y, x, extend);
                    }}
                    open={() => begin(cellText(given, row, column))}
                  />
                );
              })}
            </tr>
          ))}
          <Spacer rows={rows.length - last} span={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

const Spacer = ({ rows, span }: { rows: number; span: number }) =>
  rows > 0 ? (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a table row isn't focusable.
    <tr aria-hidden="true">
      <td colSpan={span} class="gap" style={{ height: `${rows * ROW_PX}px` }} />
    </tr>
  ) : null;
