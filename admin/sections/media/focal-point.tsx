/** The part of an image that stays visible when cropped, set by a click or with two sliders. */
import type { Media } from '@souk/client';
import { useId } from 'preact/hooks';
import type { Bound } from '../../parts/form/field-frame.tsx';
import { MediaImage } from '../../parts/media/thumb.tsx';
import { t } from '../../text/index.ts';

type Point = { x: number; y: number };
const round = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * 100) / 100;

export function FocalPoint({ media, value, onInput }: Bound<Point> & { media: Media }) {
  const id = useId();
  return (
    <div class="focal">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the sliders below do the same by keyboard. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the sliders below do the same by keyboard. */}
      <div
        class="focal-image"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onInput({
            x: round((event.clientX - box.left) / box.width),
            y: round((event.clientY - box.top) / box.height),
          });
        }}
      >
        <MediaImage media={media} />
        <span class="focal-mark" style={{ left: `${value.x * 100}%`, top: `${value.y * 100}%` }} />
      </div>
      <fieldset>
        <legend>{t('media.focalPoint')}</legend>
        <p class="hint">{t('media.focalHint')}</p>
        {(['x', 'y'] as const).map((axis) => (
          <div key={axis} class="field">
            <label for={`${id}-${axis}`}>{t(axis === 'x' ? 'media.focalX' : 'media.focalY')}</label>
            <input
              id={`${id}-${axis}`}
              type="range"
              min={0}
              max={100}
              value={Math.round(value[axis] * 100)}
              onInput={(event) => onInput({ ...value, [axis]: Number(event.currentTarget.value) / 100 })}
            />
          </div>
        ))}
      </fieldset>
    </div>
  );
}
