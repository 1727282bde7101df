/** Global keyboard shortcuts. `useSaveKey(save)` handles Ctrl/⌘ S. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { BULK_KEY } from '../parts/list/list-table.tsx';
import { undoLast } from '../parts/toast.tsx';
import { t } from '../text/index.ts';

const savers: (() => void)[] = [];
export const showsKeys = signal(false);
export const showsPalette = signal(false);

export function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const run = () => latest.current();
    savers.push(run);
    return () => void savers.splice(savers.indexOf(run), 1);
  }, []);
}

/** Elements with their own undo. */
const isText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable="true"]');

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"], [role="grid"] *');

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === 'k') {
      event.preventDefault();
      showsPalette.value = true;
    } else if (command && key === 's') {
      event.preventDefault();
      savers.at(-1)?.();
    } else if (command && key === 'z' && !event.shiftKey && !event.defaultPrevented && !isText(event.target)) {
      if (undoLast()) event.preventDefault();
    } else if (command || event.altKey || event.defaultPrevented) {
      return;
    } else if (key === 'escape') {
      leave(event);
    } else if (!isTyping(event.target) && key === '/') {
      event.preventDefault();
      const search = document.querySelector<HTMLElement>('main input[type="search"]');
      if (search) search.focus();
      else showsPalette.value = true;
    } else if (!isTyping(event.target) && key === '?') {
      showsKeys.value = true;
    }
  });
}

/** Leaves the field first, then the page through its back link. */
function leave({ target }: KeyboardEvent): void {
  if (document.querySelector('dialog[open], [popover]:popover-open')) return;
  if (isTyping(target)) (target as HTMLElement).blur();
  else document.querySelector<HTMLElement>('main [data-back]')?.click();
}

const isMac = /Mac|iP/.test(navigator.platform);

export function KeysDialog() {
  if (!showsKeys.value) return null;
  const main = isMac ? '⌘' : 'Ctrl';
  const keys: [string, string][] = [
    [`${main} K`, t('shell.keysPalette')],
    ['/', t('shell.keysSearch')],
    [`${main} S`, t('shell.keysSave')],
    [`${main} Z`, t('shell.keysUndo')],
    ['Esc', t('shell.keysLeave')],
    ['↑ ↓', t('shell.keysMove')],
    [BULK_KEY, t('shell.keysBulk')],
    ['?', t('shell.keysHelp')],
  ];
  return (
    <Dialog
      title={t('shell.keys')}
      close={() => {
        showsKeys.value = false;
      }}
    >
      <dl class="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
