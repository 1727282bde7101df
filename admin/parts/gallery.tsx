/** Pictures by their address, in an order: dragged, or moved with the arrows. */
import type { MediaInput } from '@souk/client';
import { useState } from 'preact/hooks';
import { t } from '../text/index.ts';
import { type Bound, TextField } from './form.tsx';

export function Gallery({ value, onInput, problem }: Bound<MediaInput[]>) {
  const [url, setUrl] = useState('');
  const [dragged, setDragged] = useState<number | null>(null);
  const move = (from: number, to: number) => {
    if (to < 0 || to >= value.length) return;
    const next = [...value];
    next.splice(to, 0, ...next.splice(from, 1));
    onInput(next);
  };
  const add = () => {
    if (!url.trim()) return;
    onInput([...value, { url: url.trim() }]);
    setUrl('');
  };
  return (
    <>
      {value.length > 0 && (
        <ul class="gallery" aria-describedby="gallery-hint">
          {value.map((picture, i) => (
            <li
              key={picture.id ?? picture.url}
              draggable
              data-dragged={dragged === i}
              onDragStart={() => setDragged(i)}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== null) move(dragged, i);
              }}
            >
              <img src={picture.url} alt={t('parts.picture', { number: i + 1 })} width="96" height="96" />
              <div>
                <button
                  type="button"
                  class="icon"
                  aria-label={`${t('parts.moveUp')}: ${i + 1}`}
                  disabled={i === 0}
                  onClick={() => move(i, i - 1)}
                >
                  ‹
                </button>
                <button
                  type="button"
                  class="icon"
                  aria-label={`${t('parts.moveDown')}: ${i + 1}`}
                  disabled={i === value.length - 1}
                  onClick={() => move(i, i + 1)}
                >
                  ›
                </button>
                <button
                  type="button"
                  class="icon"
                  aria-label={`${t('parts.remove')}: ${i + 1}`}
                  onClick={() => onInput(value.filter((_, j) => j !== i))}
                >
                  ×
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {value.length > 1 && (
        <p id="gallery-hint" class="hint">
          {t('parts.dropHint')}
        </p>
      )}
      <div class="joined">
        <TextField label={t('parts.pictureUrl')} type="url" value={url} onInput={setUrl} problem={problem} />
        <button type="button" class="quiet" onClick={add}>
          {t('parts.addPicture')}
        </button>
      </div>
    </>
  );
}
