/**
 * A list inside a form. Each item is summarized in one line and can be opened for editing. An item with an error is open. `name(item)`
 * labels the line and its buttons.
 */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { focusSoon } from '../../shell/focus.ts';
import { t } from '../../text/index.ts';

type Props<T> = {
  label: string;
  items: T[];
  onInput: (items: T[]) => void;
  name: (item: T, index: number) => string;
  summary: (item: T, index: number) => string;
  hasProblem: (index: number) => boolean;
  /** An item that still has to be filled in starts open. */
  isEmpty?: (item: T) => boolean;
  add: { label: string; make: () => T };
  empty?: string;
  max?: number;
  children: (item: T, set: (item: T) => void, index: number) => ComponentChildren;
};

export function CollapsibleList<T>(props: Props<T>) {
  const {
    label,
    items,
    onInput,
    name,
    summary,
    hasProblem,
    add,
    empty,
    max = Number.POSITIVE_INFINITY,
    children,
  } = props;
  const list = useRef<HTMLUListElement>(null);
  const [opened, setOpened] = useState<number | null>(() => {
    const first = props.isEmpty ? items.findIndex(props.isEmpty) : -1;
    return first < 0 ? null : first;
  });
  const replace = (at: number, item: T) => onInput(items.map((each, i) => (i === at ? item : each)));
  const remove = (at: number) => {
    onInput(items.filter((_, i) => i !== at));
    if (opened !== null && opened >= at) setOpened(opened === at ? null : opened - 1);
  };
  const append = () => {
    onInput([...items, add.make()]);
    setOpened(items.length);
    focusSoon(() => list.current?.children[items.length]?.querySelector<HTMLElement>('.fold-body :is(input, select)'));
  };
  return (
    <div class="fold-list">
      {items.length === 0 && empty && <p class="quiet">{empty}</p>}
      <ul ref={list} aria-label={label}>
        {items.map((item, i) => {
          const isOpen = opened === i || hasProblem(i);
          const title = name(item, i);
          return (
            <li key={i} class="fold">
              <div class="fold-head">
                <button
                  type="button"
                  class="fold-title"
                  aria-expanded={isOpen}
                  onClick={() => setOpened(isOpen ? null : i)}
                >
                  <span>{title}</span>
                  {!isOpen && <small>{summary(item, i)}</small>}
                </button>
                <button
                  type="button"
                  class="icon"
                  aria-label={t('parts.removeItem', { name: title })}
                  title={t('parts.removeItem', { name: title })}
                  onClick={() => remove(i)}
                >
                  ×
                </button>
              </div>
              {isOpen && (
                <fieldset class="fold-body">
                  <legend class="visually-hidden">{title}</legend>
                  {children(item, (next) => replace(i, next), i)}
                </fieldset>
              )}
            </li>
          );
        })}
      </ul>
      {items.length < max && (
        <button type="button" class="quiet" onClick={append}>
          <span aria-hidden="true">+ </span>
          {add.label}
        </button>
      )}
    </div>
  );
}
