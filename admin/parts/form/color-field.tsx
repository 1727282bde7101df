import { useId } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { type Bound, type Common, describe, Frame } from './field-frame.tsx';

/** A color as #rrggbb, typed or picked. If it is empty, `initial` applies. */
export function ColorField({ initial = '#1c1c1f', ...props }: Common & Bound<string> & { initial?: string }) {
  const { value, onInput } = props;
  const id = useId();
  return (
    <Frame {...props} id={id}>
      <div class="color-field">
        <input
          type="color"
          aria-label={t('mails.pickColor')}
          value={/^#[0-9a-f]{6}$/i.test(value) ? value : initial}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <input
          id={id}
          value={value}
          autocomplete="off"
          placeholder={initial}
          maxLength={7}
          onInput={(event) => onInput(event.currentTarget.value)}
          {...describe(id, props)}
        />
      </div>
    </Frame>
  );
}
