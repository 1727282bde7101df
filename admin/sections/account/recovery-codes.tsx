import { useState } from 'preact/hooks';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { useAction } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { saveText } from '../../parts/save-file.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

type Props = { left: number; changed: (recoveryCodes: string[]) => void };

export function RecoveryCodes({ left, changed }: Props) {
  const [isAsking, setAsking] = useState(false);
  const { run, error } = useAction(async () => changed((await souk.users.createRecoveryCodes()).recoveryCodes));
  const create = (
    <button type="button" class="quiet" onClick={() => setAsking(true)}>
      {t('security.newCodes')}
    </button>
  );
  return (
    <Section title={t('security.recovery')} actions={create}>
      <Problem error={error} />
      <p>{t('security.recoveryText')}</p>
      <p>
        <span class={`badge ${left > 3 ? 'good' : 'bad'}`}>{t('security.recoveryLeft', { count: left })}</span>
      </p>
      {isAsking && (
        <Confirm
          title={t('security.newCodesTitle')}
          text={t('security.newCodesText')}
          action={t('security.newCodes')}
          run={() => run()}
          close={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

/** Shows the codes once. Only its button closes the dialog, so that Esc can't lose them. */
export const CodesDialog = ({ codes, close }: { codes: string[]; close: () => void }) => (
  <Dialog title={t('security.saveCodes')} close={null}>
    <p>{t('security.saveCodesText')}</p>
    <ul class="recovery-codes" aria-label={t('security.recovery')}>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <div class="actions end">
      <button type="button" class="quiet" onClick={() => saveText('souk-recovery-codes.txt', `${codes.join('\n')}\n`)}>
        {t('security.download')}
      </button>
      <button type="button" class="quiet" onClick={() => print()}>
        {t('security.print')}
      </button>
      <button type="button" onClick={close}>
        {t('security.saved')}
      </button>
    </div>
  </Dialog>
);
