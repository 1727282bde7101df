/** Exports the user's personal data, or deletes the account. */
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, TextField } from '../../parts/form/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { saveJson } from '../../parts/save-file.ts';
import { toast } from '../../parts/toast.tsx';
import { me, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { AccountPage } from './frame.tsx';

export default function Page() {
  const save = useAction(async () => {
    saveJson('my-data.json', await souk.privacy.exportOwnData());
    toast(t('privacy.exported'));
  });
  return (
    <AccountPage path="data">
      <Section title={t('privacy.mine')}>
        <p class="quiet">{t('privacy.mineText')}</p>
        <Problem error={save.error} />
        <button type="button" disabled={save.isBusy} onClick={() => save.run()}>
          {t('privacy.exportMine')}
        </button>
      </Section>
      <DeleteAccount />
    </AccountPage>
  );
}

/** The user must enter the email address, because deletion can't be undone. */
function DeleteAccount() {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const email = me.value?.email ?? '';
  const isConfirmed = typed.trim().toLowerCase() === email.toLowerCase();
  const remove = useAction(async () => {
    await souk.privacy.deleteOwnAccount(password ? { password } : {});
    location.assign('/admin');
  });
  return (
    <Section title={t('privacy.deleteAccount')}>
      <p class="quiet">{t('privacy.deleteAccountText')}</p>
      <div>
        <button type="button" class="danger" onClick={() => setOpen(true)}>
          {t('privacy.deleteAccount')}
        </button>
        {isOpen && (
          <Dialog title={t('privacy.deleteAccount')} close={() => setOpen(false)}>
            {!problemOf(remove.error, 'password') && <Problem error={remove.error} />}
            <Form submit={() => isConfirmed && remove.run()} busy={remove.isBusy}>
              <TextField label={t('privacy.typeEmail', { email })} value={typed} onInput={setTyped} />
              <TextField
                label={t('privacy.password')}
                type="password"
                autocomplete="current-password"
                hint={t('privacy.passwordHint')}
                value={password}
                onInput={setPassword}
                problem={problemOf(remove.error, 'password')}
              />
              <div class="actions end">
                <button type="submit" class="danger" disabled={!isConfirmed}>
                  {t('privacy.deleteAccount')}
                </button>
              </div>
            </Form>
          </Dialog>
        )}
      </div>
    </Section>
  );
}
