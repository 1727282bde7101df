/**
 * Rich text. The editor is loaded when the first such field is shown. A text with parts that it would lose (tables, figures …) is
 * edited as HTML instead, which can be chosen for every text.
 */
import type { TargetedKeyboardEvent, TargetedMouseEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { Form, TextField } from '../form.tsx';
import { MediaPicker } from '../media/picker.tsx';
import { altOf } from '../media/thumb.tsx';
import type { RichEditor } from './rich-editor.ts';

type Props = {
  label: string;
  value: string;
  onInput: (html: string) => void;
  lang: string | undefined;
  problem?: string | undefined;
};

export function RichText(props: Props) {
  const { label, value, onInput, lang, problem } = props;
  const id = useId();
  const [mode, setMode] = useState<'wait' | 'rich' | 'html' | 'only-html'>('wait');
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<RichEditor | null>(null);
  const [, redraw] = useState(0);
  // What the editor has told and the form has not given back yet. Any other value comes from elsewhere, such as a draft; one of
  // these may be older than what is being typed and changes nothing.
  const told = useRef<string[]>([]);
  const shown = useRef(value);
  const latest = useRef(onInput);
  latest.current = onInput;

  useEffect(() => {
    if (mode === 'html' || mode === 'only-html') return;
    let isOver = false;
    import('./rich-editor.ts').then(({ createRichEditor, isLossless }) => {
      if (isOver || !place.current) return;
      if (!isLossless(value)) return setMode('only-html');
      told.current = [];
      shown.current = value;
      editor.current = createRichEditor({
        place: place.current,
        labelledBy: `${id}-label`,
        describedBy: `${id}-problem`,
        lang,
        html: value,
        onChange: (html) => {
          told.current.push(html);
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

  useEffect(() => {
    if (!editor.current) return;
    if (value === told.current.at(-1)) told.current = [];
    else if (value !== shown.current) {
      const at = told.current.lastIndexOf(value);
      told.current = told.current.slice(at + 1);
      if (at < 0 && !editor.current.replace(value)) setMode('only-html');
    }
    shown.current = value;
  });

  if (mode === 'html' || mode === 'only-html')
    return (
      <div>
        <TextField {...{ label, value, onInput, problem }} multiline rows={8} />
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
      {editor.current && <Toolbar editor={editor.current} label={label} />}
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

const BUTTONS = [
  ['bold', 'B'],
  ['italic', 'I'],
  ['heading', 'H'],
  ['bulletList', '•'],
  ['orderedList', ''],
  ['quote', '“'],
] as const;

/** One stop of the Tab key; arrows go from button to button. */
function Toolbar({ editor, label }: { editor: RichEditor; label: string }) {
  const [dialog, setDialog] = useState<'link' | 'picture' | null>(null);
  const [at, setAt] = useState(0);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>(':scope > button');
    if (step === 0 || !(event.target as Element).matches('.toolbar > button')) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  /** A press by pointer leaves the focus in the text: what is typed next must not be lost. */
  const onMouseDown = (event: TargetedMouseEvent<HTMLDivElement>) => {
    if ((event.target as Element).matches('.toolbar > button')) event.preventDefault();
  };
  const actions = [
    ...BUTTONS.map(([name, sign]) => ({
      name,
      sign,
      look: name,
      isOn: editor.has(name),
      run: () => editor.toggle(name),
    })),
    { name: 'link', sign: '↗', look: '', isOn: editor.has('link'), run: () => setDialog('link') },
    { name: 'picture', sign: '▣', look: '', isOn: undefined, run: () => setDialog('picture') },
    { name: 'undo', sign: '↶', look: '', isOn: undefined, run: () => editor.undo() },
    { name: 'redo', sign: '↷', look: '', isOn: undefined, run: () => editor.redo() },
  ] as const;
  return (
    <div
      class="toolbar"
      role="toolbar"
      aria-label={`${t('blocks.format')}: ${label}`}
      onKeyDown={onKeyDown}
      onMouseDown={onMouseDown}
    >
      {actions.map(({ name, sign, look, isOn, run }, i) => (
        <button
          key={name}
          type="button"
          tabIndex={i === at ? 0 : -1}
          onFocus={() => setAt(i)}
          class={`icon ${look}`}
          aria-label={t(`blocks.${name}`)}
          aria-pressed={isOn}
          onClick={run}
        >
          {sign}
        </button>
      ))}
      {dialog === 'link' && <LinkDialog editor={editor} close={() => setDialog(null)} />}
      {dialog === 'picture' && (
        <MediaPicker
          type="IMAGE"
          close={() => setDialog(null)}
          choose={([media]) => media && editor.insertPicture(media.resolutions?.large?.url ?? media.url, altOf(media))}
        />
      )}
    </div>
  );
}

function LinkDialog({ editor, close }: { editor: RichEditor; close: () => void }) {
  const former = editor.linkAddress();
  const [address, setAddress] = useState(former);
  return (
    <Dialog title={t('blocks.link')} close={close}>
      <Form
        submit={() => {
          editor.setLink(address.trim());
          close();
        }}
      >
        <TextField label={t('blocks.linkAddress')} type="url" value={address} onInput={setAddress} />
        <div class="actions end">
          {former && (
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
