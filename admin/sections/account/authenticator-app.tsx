import type { Factors, TotpSetup } from '@souk/client';
import { useState } from 'preact/hooks';
import { encode } from 'uqr';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { Form, TextField } from '../../parts/form/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { DateOnly } from '../../parts/show.tsx';
import { toast } from '../../parts/toast.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

/** `changed` gets the recovery codes of the first factor. */
type Props = { totp: Factors['totp']; changed: (recoveryCodes?: string[]) => void };

export function AuthenticatorApp({ totp, changed }: Props) {
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const begin = useAction(async () => setSetup(await souk.users.createTotp()));
  const remove = useAction(async () => {
    await souk.users.deleteTotp();
    toast(t('security.appRemoved'));
    changed();
  });
  const action = totp ? (
    <button type="button" class="quiet" onClick={() => setRemoving(true)}>
      {t('security.removeApp')}
    </button>
  ) : (
    <button type="button" class="quiet" disabled={begin.isBusy} onClick={() => begin.run()}>
      {t('security.addApp')}
    </button>
  );
  return (
    <Section title={t('security.app')} actions={action}>
      <Problem error={begin.error ?? remove.error} />
      <p>{t('security.appText')}</p>
      {totp && (
        <p>
          <span class="badge good">
            {`${t('security.appOn')} `}
            <DateOnly at={totp.confirmedAt} />
          </span>
        </p>
      )}
      {setup && <SetupDialog {...setup} changed={changed} close={() => setSetup(null)} />}
      {isRemoving && (
        <Confirm
          title={t('security.removeAppTitle')}
          text={t('security.removeAppText')}
          action={t('security.removeApp')}
          run={() => remove.run()}
          close={() => setRemoving(false)}
        />
      )}
    </Section>
  );
}

function SetupDialog({ secret, uri, changed, close }: TotpSetup & Pick<Props, 'changed'> & { close: () => void }) {
  const [code, setCode] = useState('');
  const { run, isBusy, error } = useAction(async () => {
    const { recoveryCodes } = await souk.users.confirmTotp({ code });
    toast(t('security.appAdded'));
    changed(recoveryCodes);
    close();
  });
  const problem = problemOf(error, 'code');
  return (
    <Dialog title={t('security.addApp')} close={close}>
      <p>{t('security.scan')}</p>
      <QrCode text={uri} />
      <p class="small">
        {`${t('security.key')}: `}
        <code class="totp-key">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      {!problem && <Problem error={error} />}
      <Form submit={run} busy={isBusy}>
        <TextField
          label={t('security.firstCode')}
          autocomplete="one-time-code"
          maxLength={10}
          value={code}
          onInput={setCode}
          problem={problem}
        />
        <button type="submit" class="full" disabled={isBusy || code.trim() === ''}>
          {t('security.confirm')}
        </button>
      </Form>
    </Dialog>
  );
}

/** Dark on white in every theme, because scanners need the contrast. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('security.qr')}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  );
}
