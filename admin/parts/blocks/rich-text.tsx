/**
 * A rich text field. The editor is loaded with the first such field. Text with elements that it doesn't support (tables …) is
 * edited as HTML, which can also be chosen for any text.
 */
import { createContext, type TargetedKeyboardEvent, type TargetedMouseEvent } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { Form, TextField } from '../form/form.tsx';
import { MediaPicker } from '../media/picker.tsx';
import { altOf } from '../media/thumb.tsx';
import { Insert } from './insert.tsx';
import type { RichEditor } from './rich-editor.ts';

type Props = {
  label: string;
  value: string;
  onInput: (html: string) => void;
  lang: string | undefined;
  problem?: string | undefined;
  /** Receives a function that inserts text at the cursor, or at the end of HTML. */
  onReady?: (insert: (text: string) => void) => void;
};

/** Whether the text can have a free part, whose end is marked with a divider. */
export const FreePart = createContext(false);

export function RichText(props: Props) {
  const { label, value, onInput, lang, problem } = props;
  const id = useId();
  const [mode, setMode] = useState<'wait' | 'rich' | 'html' | 'only-html'>('wait');
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<RichEditor | null>(null);
  const [moves, redraw] = useState(0);
  // Values that the editor emitted and the form has not passed back yet. They may be older than the current text and are ignored;
  // any other value comes from elsewhere, such as a draft.
  const emitted = useRef<string[]>([]);
  const shown = useRef(value);
  const latest = useRef(onInput);
  latest.current = onInput;
  props.onReady?.((text) => (editor.current ? editor.current.insertText(text) : latest.current(`${value}${text}`)));

  useEffect(() => {
    if (mode === 'html' || mode === 'only-html') return;
    let isOver = false;
    import('./rich-editor.ts').then(({ createRichEditor, isLossless }) => {
      if (isOver || !place.current) return;
      if (!isLossless(value)) return setMode('only-html');
      emitted.current = [];
      shown.current = value;
      editor.current = createRichEditor({
        place: place.current,
        labelledBy: `${id}-label`,
        describedBy: `${id}-problem`,
        lang,
        html: value,
        onChange: (html) => {
          emitted.current.push(html);
          latest.current(html);
        },
        onMove: () => redraw((before) => before + 1),
      });
      setMode('rich');
    });
    return () => {
      isOver = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, [mode === 'html' || mode === 'only-html']);

  // Runs before the next keystroke, so that an older value can't undo it.
  useLayoutEffect(() => {
    if (!editor.current) return;
    if (value === emitted.current.at(-1)) emitted.current = [];
    else if (value !== shown.current) {
      const at = emitted.current.lastIndexOf(value);
      emitted.current = emitted.current.slice(at + 1);
      if (at < 0 && !editor.current.replace(value)) setMode('only-html');
    }
    shown.current = value;
  });

  if (mode === 'html' || mode === 'only-html')
    return (
      <div>
        <TextField label={label} value={value} onInput={onInput} problem={problem} multiline rows={8} />
        {mode === 'only-html' ? (
          <p class="hint">{t('blocks.htmlOnly')}</p>
        ) : (
          <button type="button" class="link small" onClick={() => setMode('wait')}>
            {t('blocks.editRich')}
            <span class="visually-hidden">{label}</span>
          </button>
        )}
      </div>
    );
  return (
    <div class="field rich" lang={lang}>
      <span id={`${id}-label`} class="rich-label">
        {label}
      </span>
      {editor.current && <Toolbar editor={editor.current} label={label} moves={moves} />}
      <div ref={place} class={problem ? 'rich-place wrong' : 'rich-place'} />
      {mode === 'wait' && <div class="skeleton rich-wait" />}
      {problem && (
        <p id={`${id}-problem`} class="field-error" role="alert">
          {problem}
        </p>
      )}
      <button type="button" class="link small" onClick={() => setMode('html')}>
        {t('blocks.editHtml')}
        <span class="visually-hidden">{label}</span>
      </button>
    </div>
  );
}

const BUTTONS = ['bold', 'italic', 'heading', 'bulletList', 'orderedList', 'quote'] as const;

/** A single tab stop; arrow keys move between buttons. `moves` changes with the selection, which renders the toolbar again. */
function Toolbar({ editor, label }: { editor: RichEditor; label: string; moves: number }) {
  const [dialog, setDialog] = useState<'link' | 'image' | 'insert' | null>(null);
  const [at, setAt] = useState(0);
  const hasFreePart = useContext(FreePart);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>(':scope > button');
    if (step === 0 || !(event.target as Element).matches('.toolbar > button')) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  /** A pointer press keeps the focus in the text, so that typing continues there. */
  const onMouseDown = (event: TargetedMouseEvent<HTMLDivElement>) => {
    if ((event.target as Element).closest('.toolbar > button')) event.preventDefault();
  };
  const actions = [
    ...BUTTONS.map((name) => ({ name, isOn: editor.has(name), run: () => editor.toggle(name) })),
    { name: 'link', isOn: editor.has('link'), run: () => setDialog('link') },
    { name: 'image', isOn: undefined, run: () => setDialog('image') },
    { name: 'insert', isOn: undefined, run: () => setDialog('insert') },
    ...(hasFreePart
      ? [{ name: 'paywall', isOn: editor.hasPaywall(), run: () => editor.togglePaywall() } as const]
      : []),
    { name: 'undo', isOn: undefined, run: () => editor.undo() },
    { name: 'redo', isOn: undefined, run: () => editor.redo() },
  ] as const;
  return (
    <div
      class="toolbar"
      role="toolbar"
      aria-label={`${t('blocks.format')}: ${label}`}
      onKeyDown={onKeyDown}
      onMouseDown={onMouseDown}
    >
      {actions.map(({ name, isOn, run }, i) => (
        <button
          key={name}
          type="button"
          tabIndex={i === at ? 0 : -1}
          onFocus={() => setAt(i)}
          class="icon"
          title={t(`blocks.${name}`)}
          aria-label={t(`blocks.${name}`)}
          aria-pressed={isOn}
          onClick={run}
        >
          <Icon name={name} />
        </button>
      ))}
      {dialog === 'link' && <LinkDialog editor={editor} close={() => setDialog(null)} />}
      {dialog === 'insert' && <Insert editor={editor} close={() => setDialog(null)} />}
      {dialog === 'image' && (
        <MediaPicker
          type="IMAGE"
          close={() => setDialog(null)}
          choose={([media]) => media && editor.insertImage(media.resolutions?.large?.url ?? media.url, altOf(media))}
        />
      )}
    </div>
  );
}

function LinkDialog({ editor, close }: { editor: RichEditor; close: () => void }) {
  const previous = editor.linkAddress();
  const [address, setAddress] = useState(previous);
  return (
    <Dialog title={t('blocks.link')} close={close}>
      <Form
        submit={() => {
          editor.setLink(address.trim());
          close();
        }}
      >
        <TextField label={t('blocks.linkUrl')} type="url" value={address} onInput={setAddress} />
        <div class="actions end">
          {previous && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                editor.setLink('');
                close();
              }}
            >
              {t('blocks.unlink')}
            </button>
          )}
          <button type="submit">{t('parts.save')}</button>
        </div>
      </Form>
    </Dialog>
  );
}
