/**
 * A list inside a form, such as the markets of a business. Each item is a card that can be moved and removed. `name(item)` labels the
 * card and its buttons.
 */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { focusMoved, focusSoon } from '../../shell/focus.ts';
import { t } from '../../text/index.ts';

type Props<T> = {
  items: T[];
  onInput: (items: T[]) => void;
  name: (item: T, index: number) => string;
  add: { label: string; make: () => T };
  empty?: string;
  children: (item: T, set: (item: T) => void, index: number) => ComponentChildren;
};

export function ListEditor<T>({ items, onInput, name, add, empty, children }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const replace = (at: number, item: T) => onInput(items.map((each, i) => (i === at ? item : each)));
  const move = (at: number, by: number) => {
    const next = [...items];
    next.splice(at + by, 0, ...next.splice(at, 1));
    onInput(next);
    focusMoved(list.current, at + by, by < 0 ? 'up' : 'down');
  };
  /** Focuses the first field of the new card. */
  const append = () => {
    onInput([...items, add.make()]);
    focusSoon(() => list.current?.children[items.length]?.querySelector<HTMLElement>('input, select'));
  };
  return (
    <div class="list-editor">
      {items.length === 0 && empty && <p class="quiet">{empty}</p>}
      <div ref={list}>
        {items.map((item, i) => (
          <fieldset key={i} class="sheet card">
            <legend>{name(item, i)}</legend>
            <div class="card-actions">
              <IconButton
                text="↑"
                moves="up"
                label={t('parts.moveItemUp', { name: name(item, i) })}
                off={i === 0}
                run={() => move(i, -1)}
              />
              <IconButton
                text="↓"
                moves="down"
                label={t('parts.moveItemDown', { name: name(item, i) })}
                off={i === items.length - 1}
                run={() => move(i, 1)}
              />
              <IconButton
                text="×"
                label={t('parts.removeItem', { name: name(item, i) })}
                run={() => onInput(items.filter((_, at) => at !== i))}
              />
            </div>
            {children(item, (next) => replace(i, next), i)}
          </fieldset>
        ))}
      </div>
      <button type="button" class="quiet" onClick={append}>
        <span aria-hidden="true">+ </span>
        {add.label}
      </button>
    </div>
  );
}

type IconButtonProps = { text: string; label: string; run: () => void; off?: boolean; moves?: 'up' | 'down' };

const IconButton = ({ text, label, run, off = false, moves }: IconButtonProps) => (
  <button type="button" class="icon" data-move={moves} aria-label={label} title={label} disabled={off} onClick={run}>
    {text}
  </button>
);
