/**
 * A modal `<dialog>`. Focuses its first field and restores focus when closed; Esc closes it. Open while its parent renders it:
 * `{isOpen && <Dialog title="Refund" close={…}>…</Dialog>}`.
 */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { focusNear } from '../shell/focus.ts';
import { t } from '../text/index.ts';

type Props = {
  title: string;
  /** Null if it can't be closed without a choice. */
  close: (() => void) | null;
  children: ComponentChildren;
  wide?: boolean;
};

/** Opens the dialog before the next frame, so that no key press reaches the page. Returns the focus after closing. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const element = dialog.current!;
    element.showModal();
    element.querySelector<HTMLElement>('form :is(input, select, textarea):not(:disabled)')?.focus();
    return () => {
      // Nothing else can have the focus while it is open.
      element.close();
      if (before) focusNear(before);
    };
  }, []);
  return dialog;
}

export function Dialog({ title, close, children, wide = false }: Props) {
  const id = useId();
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close?.();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {close && (
          <button type="button" class="icon" aria-label={t('parts.close')} onClick={close}>
            ×
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}

/** Asks before an action that can't be undone. */
export function Confirm(props: { title: string; text: string; action: string; run: () => void; close: () => void }) {
  return (
    <Dialog title={props.title} close={props.close}>
      <p>{props.text}</p>
      <div class="actions end">
        <button type="button" class="quiet" onClick={props.close}>
          {t('parts.cancel')}
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            props.close();
            props.run();
          }}
        >
          {props.action}
        </button>
      </div>
    </Dialog>
  );
}

type ActionsProps = { close: () => void; label?: string; disabled?: boolean };

/** The buttons at the end of a form in a dialog. */
export function DialogActions({ close, label = t('parts.save'), disabled = false }: ActionsProps) {
  return (
    <div class="actions end">
      <button type="button" class="quiet" onClick={close}>
        {t('parts.cancel')}
      </button>
      <button type="submit" disabled={disabled}>
        {label}
      </button>
    </div>
  );
}
