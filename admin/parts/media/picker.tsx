/**
 * A field for media files. `<MediaField label={…} value={media} onInput={…} many />` shows the chosen files in order and opens
 * `<MediaPicker>`, a dialog with search and upload. `value` has the media as in records; send back `{ id }` or the item.
 */
import type { Media } from '@souk/client';
import { useId, useRef, useState } from 'preact/hooks';
import { can } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import type { Bound } from '../form/field-frame.tsx';
import { forget } from '../load.ts';
import { ChosenMedia } from './chosen.tsx';
import { type Kind, LibraryBar, LibraryGrid, useLibrary } from './library.tsx';
import { nameOf, Thumb } from './thumb.tsx';
import { DropZone, useUploads } from './uploads.tsx';

type PickerProps = {
  /** Allows several files. */
  many?: boolean;
  type?: Kind | '';
  choose: (chosen: Media[]) => void;
  close: () => void;
};

export function MediaPicker({ many = false, type = '', choose, close }: PickerProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Media[]>([]);
  const library = useLibrary({ text, type });
  const toggle = (item: Media) => {
    if (chosen.some(({ id }) => id === item.id)) setChosen(chosen.filter(({ id }) => id !== item.id));
    else setChosen(many ? [...chosen, item] : [item]);
  };
  const uploads = useUploads((item) => {
    library.put(item);
    setChosen((before) => (many ? [...before.filter(({ id }) => id !== item.id), item] : [item]));
  });
  const grid = (
    <LibraryGrid library={library} isFiltered={text !== ''}>
      {(item) => (
        <button
          type="button"
          class="media-card"
          aria-pressed={chosen.some(({ id }) => id === item.id)}
          onClick={() => toggle(item)}
        >
          <Thumb media={item} />
          <span class="name" title={nameOf(item)}>
            {nameOf(item)}
          </span>
        </button>
      )}
    </LibraryGrid>
  );
  return (
    <Dialog title={t(many ? 'media.chooseMany' : 'media.choose')} close={close} wide>
      <LibraryBar text={text} setText={setText} type={type} />
      {can('MEDIA_WRITE') ? (
        <DropZone wholePage many={many} uploads={uploads} accept={type === 'IMAGE' ? 'image/*' : undefined}>
          {grid}
        </DropZone>
      ) : (
        grid
      )}
      <div class="actions end picker-end">
        <button type="button" class="quiet" onClick={close}>
          {t('parts.cancel')}
        </button>
        <button
          type="button"
          disabled={chosen.length === 0}
          onClick={() => {
            choose(chosen);
            close();
          }}
        >
          {t('media.use', { count: chosen.length })}
        </button>
      </div>
    </Dialog>
  );
}

type FieldProps = Bound<Media[]> & {
  label: string;
  hideLabel?: boolean;
  hint?: string;
  many?: boolean;
  type?: Kind | '';
};

export function MediaField({ label, hint, value, onInput, problem, many = false, type = '', ...props }: FieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  // Uploads finish long after the render that started them.
  const latest = useRef(value);
  latest.current = value;
  const add = (chosen: Media[]) => {
    const fresh = chosen.filter((item) => !latest.current.some((each) => each.id === item.id));
    latest.current = many ? [...latest.current, ...fresh] : chosen.slice(0, 1);
    onInput(latest.current);
  };
  const uploads = useUploads((item) => {
    forget('media');
    add([item]);
  });
  const chooseText = t(many ? 'media.fromLibraryMany' : value.length > 0 ? 'media.replace' : 'media.choose');
  const choose = (
    <button
      type="button"
      class="quiet"
      aria-label={`${chooseText}: ${label}`}
      aria-invalid={problem ? true : undefined}
      onClick={() => setOpen(true)}
    >
      {chooseText}
    </button>
  );
  const chosen = <ChosenMedia value={value} onInput={onInput} many={many} />;
  return (
    <fieldset class="field media-field" aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend class={props.hideLabel ? 'visually-hidden' : ''}>{label}</legend>
      {can('MEDIA_WRITE') ? (
        <DropZone
          uploads={uploads}
          label={label}
          many={many}
          actions={choose}
          accept={type === 'IMAGE' ? 'image/*' : undefined}
        >
          {chosen}
        </DropZone>
      ) : (
        <>
          {chosen}
          {choose}
        </>
      )}
      {hint && <p class="hint">{hint}</p>}
      {problem && (
        <p id={`${id}-problem`} class="field-error" role="alert">
          {problem}
        </p>
      )}
      {isOpen && <MediaPicker many={many} type={type} choose={add} close={() => setOpen(false)} />}
    </fieldset>
  );
}
