/**
 * Toasts: `toast('Saved')`, or `toast(text, { undo })` with an undo button for 10 seconds. `deleteLater({ name, hides: id, run })` hides
 * the record immediately (`isHidden(id)`) and deletes it when the undo period ends or the page is closed.
 */
import { signal } from '@preact/signals';
import { t } from '../text/index.ts';
import { forget } from './load.ts';
import { errorSentence } from './problem.tsx';

const UNDO_MS = 10_000;
const SHORT_MS = 4000;

type Toast = { id: number; text: string; action?: Action | undefined };
type Action = { label: string; run: () => void; isUndo?: boolean };
const toasts = signal<Toast[]>([]);
let last = 0;

type ToastOptions = { undo?: () => void; action?: Action; ms?: number };

/** Returns a function that removes the toast. */
export function toast(text: string, { undo, action, ms }: ToastOptions = {}): () => void {
  const id = ++last;
  const close = () => {
    toasts.value = toasts.value.filter((each) => each.id !== id);
  };
  const given = undo ? { label: t('parts.undo'), run: undo, isUndo: true } : action;
  const shown = given && {
    ...given,
    run: () => {
      close();
      given.run();
    },
  };
  toasts.value = [...toasts.value.filter((each) => each.text !== text).slice(-2), { id, text, action: shown }];
  setTimeout(close, ms ?? (given ? UNDO_MS : SHORT_MS));
  return close;
}

/** The undo action of the newest toast, if any. */
export function undoLast(): boolean {
  const found = toasts.value.filter(({ action }) => action?.isUndo).at(-1)?.action;
  found?.run();
  return found !== undefined;
}

const hidden = signal<ReadonlySet<string>>(new Set());
/** Whether the record is about to be deleted. */
export const isHidden = (id: string) => hidden.value.has(id);
const waiting = new Map<string, () => void>();
addEventListener('pagehide', () => {
  for (const run of waiting.values()) run();
});

/** `reloads`: the prefix of the cache keys that contain the record. */
export function deleteLater(options: {
  name: string;
  hides: string;
  reloads: string;
  run: () => Promise<unknown>;
}): void {
  const { name, hides, reloads } = options;
  const show = () => {
    const next = new Set(hidden.value);
    next.delete(hides);
    hidden.value = next;
  };
  const run = () => {
    clearTimeout(timer);
    waiting.delete(hides);
    options.run().then(
      () => forget(reloads),
      (error: Error) => {
        show();
        toast(errorSentence(error));
      },
    );
  };
  const timer = setTimeout(run, UNDO_MS);
  waiting.set(hides, run);
  hidden.value = new Set([...hidden.value, hides]);
  toast(t('parts.deleted', { name }), {
    undo: () => {
      clearTimeout(timer);
      waiting.delete(hides);
      show();
    },
  });
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, action }) => (
        <p key={id} class="toast">
          <span id={`toast-${id}`}>{text}</span>
          {action && (
            <button
              type="button"
              aria-describedby={`toast-${id}`}
              aria-keyshortcuts={action.isUndo ? 'Control+Z' : undefined}
              onClick={action.run}
            >
              {action.label}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}
