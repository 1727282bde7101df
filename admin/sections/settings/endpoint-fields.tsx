/** The merchant's own server for live shipping rates or sales tax. Collapsed while there is none. */
import type { Endpoint } from '@souk/client';
import { TextField } from '../../parts/form/form.tsx';
import { t } from '../../text/index.ts';

type Props = {
  title: string;
  text: string;
  value: Endpoint | undefined;
  onInput: (value: Endpoint) => void;
  problem: (field: string) => string | undefined;
};

export function EndpointFields({ title, text, value, onInput, problem }: Props) {
  const { url = '', secret = '' } = value ?? {};
  const isOpen = url !== '' || secret !== '' || problem('url') !== undefined || problem('secret') !== undefined;
  return (
    <details class="narrow-down" open={isOpen}>
      <summary>{title}</summary>
      <p class="hint">{text}</p>
      <div class="fields">
        <TextField
          type="url"
          label={t('settings.url')}
          placeholder="https://"
          value={url}
          onInput={(next) => onInput({ url: next.trim(), secret })}
          problem={problem('url')}
        />
        <TextField
          label={t('settings.signingSecret')}
          hint={t('shipping.secretHint')}
          value={secret}
          onInput={(next) => onInput({ url, secret: next.trim() })}
          problem={problem('secret')}
        />
      </div>
    </details>
  );
}

/** Undefined if nothing was entered. */
export function filledEndpoint(endpoint: Endpoint | undefined): Endpoint | undefined {
  const { url = '', secret = '' } = endpoint ?? {};
  if (url === '' && secret === '') return undefined;
  return { url, ...(secret === '' ? {} : { secret }) };
}
