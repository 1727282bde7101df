import { useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { NumberField } from '../form/number-fields.tsx';

type Point = { latitude: number | null; longitude: number | null };
type Props = {
  label: string;
  value: Point | null;
  onInput: (value: Point | null) => void;
  problem?: string | undefined;
};

/** A location: coordinates, or the position of this device. */
export function Place({ label, value, onInput, problem }: Props) {
  const [failed, setFailed] = useState(false);
  const { latitude = null, longitude = null } = value ?? {};
  const set = (next: Point) => onInput(next.latitude === null && next.longitude === null ? null : next);
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;
  const locate = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => set({ latitude: round(coords.latitude), longitude: round(coords.longitude) }),
      () => setFailed(true),
    );
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="fields">
        <NumberField
          label={t('blocks.latitude')}
          value={latitude}
          onInput={(next) => set({ latitude: next, longitude })}
          problem={problem}
        />
        <NumberField
          label={t('blocks.longitude')}
          value={longitude}
          onInput={(next) => set({ latitude, longitude: next })}
        />
      </div>
      <button type="button" class="link small" onClick={locate}>
        {t('blocks.here')}
      </button>
      {failed && <p class="hint">{t('blocks.hereFailed')}</p>}
    </fieldset>
  );
}
