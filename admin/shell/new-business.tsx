/** Creates a business. Users without one see only this. */
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Form, TextField } from '../parts/form/form.tsx';
import { useAction } from '../parts/load.ts';
import { PendingRoles } from '../parts/own-roles.tsx';
import { Problem, problemOf } from '../parts/problem.tsx';
import { t } from '../text/index.ts';
import { AuthPage } from './login.tsx';
import { businesses, logOut, openBusiness, reloadMe, souk } from './session.ts';

function BusinessForm({ done }: { done: () => void }) {
  const [name, setName] = useState('');
  const { run, isBusy, error } = useAction(async () => {
    const { id } = await souk.businesses.create({ name });
    await reloadMe();
    const created = businesses.value.find((each) => each.id === id);
    if (created) openBusiness(created);
    done();
  });
  return (
    <Form submit={run} busy={isBusy}>
      {!problemOf(error, 'name') && <Problem error={error} />}
      <TextField label={t('shell.businessName')} value={name} onInput={setName} problem={problemOf(error, 'name')} />
      <button type="submit" class="full">
        {t('shell.createBusiness')}
      </button>
    </Form>
  );
}

export const NewBusinessDialog = ({ close }: { close: () => void }) => (
  <Dialog title={t('shell.newBusiness')} close={close}>
    <p>{t('shell.newBusinessText')}</p>
    <BusinessForm done={close} />
  </Dialog>
);

export const FirstBusiness = () => (
  <AuthPage title={t('shell.firstBusiness')}>
    <p>{t('shell.newBusinessText')}</p>
    <BusinessForm done={() => {}} />
    <PendingRoles />
    <button type="button" class="link" onClick={() => logOut()}>
      {t('shell.logOut')}
    </button>
  </AuthPage>
);
