/** A secret that the service shows once, to be copied before the dialog is closed. */
import { useId, useState } from 'preact/hooks';
import { t } from '../text/index.ts';
import { Dialog } from './dialog.tsx';

type Props = { title: string; text: string; secret: string; close: () => void };

export function SecretDialog({ title, text, secret, close }: Props) {
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(secret).then(() => setCopied(true));
  return (
    <Dialog title={title} close={close}>
      <p>{text}</p>
      <div class="field">
        <label for={id}>{t('parts.secret')}</label>
        <input id={id} class="secret" readOnly value={secret} onFocus={(event) => event.currentTarget.select()} />
      </div>
      <p role="status" class="small">
        {isCopied ? t('parts.copied') : ''}
      </p>
      <div class="actions end">
        <button type="button" class="quiet" onClick={copy}>
          {t('parts.copy')}
        </button>
        <button type="button" onClick={close}>
          {t('parts.stored')}
        </button>
      </div>
    </Dialog>
  );
}
