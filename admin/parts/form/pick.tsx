/**
 * A combobox that searches while typing: `<Pick label={…} find={(query, signal) => …} choose={(item) => …} show={(item) => …} />`. Arrow
 * keys move, Enter chooses, Esc closes.
 */
import { useEffect, useId, useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { describe, FieldNotes } from './field-frame.tsx';

type Props<T> = {
  label: string;
  find: (query: string, signal: AbortSignal) => Promise<T[]>;
  choose: (item: T) => void;
  show: (item: T) => { id: string; text: string; detail?: string | undefined };
  hint?: string | undefined;
  placeholder?: string | undefined;
  problem?: string | undefined;
  /** The item to select for the typed text when the field loses focus. */
  match?: (query: string) => T | undefined;
};

const TYPING_MS = 120;

export function Pick<T>({ label, find, choose, show, hint, placeholder, problem: given, match }: Props<T>) {
  const [text, setText] = useState('');
  const [hits, setHits] = useState<T[] | null>(null);
  const [at, setAt] = useState(0);
  const [isUnknown, setUnknown] = useState(false);
  const id = useId();
  const isOpen = hits !== null;
  const problem = given ?? (isUnknown ? t('parts.chooseFromList') : undefined);
  useEffect(() => {
    if (text.trim() === '') return setHits(null);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      find(text.trim(), controller.signal).then(
        (found) => {
          if (controller.signal.aborted) return;
          setHits(found);
          setAt(0);
        },
        () => {},
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  const take = (item: T | undefined) => {
    if (!item) return;
    setUnknown(false);
    choose(item);
    setText('');
    setHits(null);
  };
  return (
    <div class="field pick">
      <label for={id}>{label}</label>
      <input
        id={id}
        role="combobox"
        autocomplete="off"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && hits[at] ? `${id}-${at}` : undefined}
        placeholder={placeholder}
        {...describe(id, { hint, problem })}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setUnknown(false);
        }}
        onBlur={() => {
          setHits(null);
          if (!match || text.trim() === '') return;
          const meant = match(text.trim());
          if (meant) take(meant);
          else setUnknown(true);
        }}
        onKeyDown={(event) => {
          const count = hits?.length ?? 0;
          if (event.key === 'ArrowDown' && count > 0) setAt((at + 1) % count);
          else if (event.key === 'ArrowUp' && count > 0) setAt((at - 1 + count) % count);
          else if (event.key === 'Enter' && isOpen) take(hits[at]);
          else if (event.key === 'Escape' && isOpen) setHits(null);
          else return;
          event.preventDefault();
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t('shell.paletteResults')} class="pick-hits" hidden={!isOpen}>
        {hits?.length === 0 && (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox.
          <div role="option" aria-disabled="true" aria-selected="false" class="quiet">
            {t('parts.noResults')}
          </div>
        )}
        {hits?.map((item, i) => {
          const { id: key, text: shown, detail } = show(item);
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox, which names the active option.
            <div
              key={key}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              onPointerDown={(event) => {
                event.preventDefault();
                take(item);
              }}
            >
              {shown} {detail && <small class="quiet">{detail}</small>}
            </div>
          );
        })}
      </div>
      <FieldNotes id={id} hint={hint} problem={problem} />
    </div>
  );
}
