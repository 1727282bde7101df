/**
 * Files of the library in a form. `<MediaField label={…} value={media} onInput={…} many />` shows what is chosen, in its order, and opens
 * `<MediaPicker>`: a dialog with search and upload. `value` is a list of media as records carry them; send `{ id }` or the item back.
 */
import type { Media } from '@souk/client';
import { useId, useState } from 'preact/hooks';
import { can } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { EmptyState } from '../data-list.tsx';
import { Dialog } from '../dialog.tsx';
import type { Bound } from '../form.tsx';
import { type Kind, LibraryBar, LibraryGrid, useLibrary } from './library.tsx';
import { nameOf, Thumb } from './thumb.tsx';
import { DropZone, useUploads } from './uploads.tsx';

type PickerProps = {
  /** Several may be chosen. */
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
    <LibraryGrid library={library} empty={<EmptyState title={t('media.none')} text={t('media.noneText')} />}>
      {(item) => (
        <button
          type="button"
          class="media-card"
          aria-pressed={chosen.some(({ id }) => id === item.id)}
          onClick={() => toggle(item)}
        >
          <Thumb media={item} />
          <span class="name">{nameOf(item)}</span>
        </button>
      )}
    </LibraryGrid>
  );
  return (
    <Dialog title={t(many ? 'media.chooseMany' : 'media.choose')} close={close} wide>
      <LibraryBar {...{ text, setText, type }} />
      {can('MEDIA_WRITE') ? (
        <DropZone uploads={uploads} accept={type === 'IMAGE' ? 'image/*' : undefined}>
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
          {t('media.take', { count: chosen.length })}
        </button>
      </div>
    </Dialog>
  );
}

type FieldProps = Bound<Media[]> & { label: string; hint?: string; many?: boolean; type?: Kind | '' };

export function MediaField({ label, hint, value, onInput, problem, many = false, type = '' }: FieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [dragged, setDragged] = useState<number | null>(null);
  const move = (from: number, to: number) => {
    const next = [...value];
    next.splice(to, 0, ...next.splice(from, 1));
    onInput(next);
  };
  const add = (chosen: Media[]) => {
    const fresh = chosen.filter((item) => !value.some((each) => each.id === item.id));
    onInput(many ? [...value, ...fresh] : chosen.slice(0, 1));
  };
  return (
    <fieldset class="field media-field" aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend>{label}</legend>
      {value.length > 0 && (
        <ul class="media-chosen">
          {value.map((media, i) => (
            <li
              key={media.id}
              draggable={many}
              onDragStart={() => setDragged(i)}
              onDragOver={(event) => dragged !== null && event.preventDefault()}
              onDrop={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                move(dragged, i);
                setDragged(null);
              }}
            >
              <Thumb media={media} />
              <span class="name">{nameOf(media)}</span>
              <span class="actions">
                {many && i > 0 && (
                  <button
                    type="button"
                    class="icon"
                    aria-label={`${t('parts.moveUp')}: ${nameOf(media)}`}
                    onClick={() => move(i, i - 1)}
                  >
                    ↑
                  </button>
                )}
                {many && i < value.length - 1 && (
                  <button
                    type="button"
                    class="icon"
                    aria-label={`${t('parts.moveDown')}: ${nameOf(media)}`}
                    onClick={() => move(i, i + 1)}
                  >
                    ↓
                  </button>
                )}
                <button
                  type="button"
                  class="icon"
                  aria-label={`${t('parts.remove')}: ${nameOf(media)}`}
                  onClick={() => onInput(value.filter((_, at) => at !== i))}
                >
                  ×
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="quiet" onClick={() => setOpen(true)} aria-invalid={problem ? true : undefined}>
        {t(many ? 'media.chooseMany' : value.length > 0 ? 'media.replace' : 'media.choose')}
      </button>
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
