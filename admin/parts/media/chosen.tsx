/** The files of a record in order. They can be dragged, or moved with the arrow buttons. */
import type { Media } from '@souk/client';
import { useRef, useState } from 'preact/hooks';
import { focusMoved } from '../../shell/focus.ts';
import { can } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { AltDialog } from './alt-dialog.tsx';
import { altOf, isImage, nameOf, Thumb } from './thumb.tsx';

type Props = { value: Media[]; onInput: (value: Media[]) => void; many: boolean };

const isFromLibrary = ({ id }: Media) => id?.startsWith('media_');

export function ChosenMedia({ value, onInput, many }: Props) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [described, setDescribed] = useState<Media | null>(null);
  const list = useRef<HTMLUListElement>(null);
  /** The focus moves with the file. */
  const move = (from: number, to: number, name?: string) => {
    const next = [...value];
    next.splice(to, 0, ...next.splice(from, 1));
    onInput(next);
    if (name) focusMoved(list.current, to, name);
  };
  if (value.length === 0) return null;
  return (
    <>
      <ul class="media-chosen" ref={list}>
        {value.map((media, i) => (
          <li
            key={media.id ?? media.url}
            draggable={many && value.length > 1}
            data-dragged={dragged === i}
            onDragStart={() => setDragged(i)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              move(dragged, i);
              setDragged(null);
            }}
          >
            <Thumb media={media} />
            <span class="name">
              {nameOf(media)}
              {isImage(media) && isFromLibrary(media) && <small>{altOf(media) || t('media.noAlt')}</small>}
            </span>
            <span class="actions">
              {isImage(media) && isFromLibrary(media) && can('MEDIA_WRITE') && (
                <button
                  type="button"
                  class="link small"
                  aria-label={t('media.altOf', { name: nameOf(media) })}
                  onClick={() => setDescribed(media)}
                >
                  {t('media.alt')}
                </button>
              )}
              {many && i > 0 && (
                <button
                  type="button"
                  class="icon"
                  data-move="up"
                  aria-label={t('parts.moveItemUp', { name: nameOf(media) })}
                  onClick={() => move(i, i - 1, 'up')}
                >
                  ↑
                </button>
              )}
              {many && i < value.length - 1 && (
                <button
                  type="button"
                  class="icon"
                  data-move="down"
                  aria-label={t('parts.moveItemDown', { name: nameOf(media) })}
                  onClick={() => move(i, i + 1, 'down')}
                >
                  ↓
                </button>
              )}
              <button
                type="button"
                class="icon"
                aria-label={t('parts.removeItem', { name: nameOf(media) })}
                onClick={() => onInput(value.filter((_, at) => at !== i))}
              >
                ×
              </button>
            </span>
          </li>
        ))}
      </ul>
      {described && (
        <AltDialog
          media={described}
          done={(item) => onInput(value.map((each) => (each.id === item.id ? item : each)))}
          close={() => setDescribed(null)}
        />
      )}
    </>
  );
}
