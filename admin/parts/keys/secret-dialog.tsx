/** Shows a secret once. Only its button closes the dialog, so that Esc can't lose the secret. */
import { useId, useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';

type Props = { title: string; text: string; label: string; secret: string; close: () => void };

export function SecretDialog({ title, text, label, secret, close }: Props) {
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(secret).then(() => setCopied(true));
  return (
    <Dialog title={title} close={null}>
      <p>{text}</p>
      <div class="field">
        <label for={id}>{label}</label>
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
          {t('parts.done')}
        </button>
      </div>
    </Dialog>
  );
}
