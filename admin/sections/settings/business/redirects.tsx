import type { Redirect } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { Form, TextField } from '../../../parts/form/form.tsx';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { EmptyState, SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { deleteLater, isHidden, toast } from '../../../parts/toast.tsx';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';

const MAX_RESULTS = 500;

export default function Page() {
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingsPage
      path="redirects"
      actions={
        <button type="button" onClick={() => setOpen(true)}>
          {t('redirects.new')}
        </button>
      }
    >
      {() => (
        <>
          <Redirects />
          {isOpen && <NewRedirect close={() => setOpen(false)} />}
        </>
      )}
    </SettingsPage>
  );
}

function Redirects() {
  const [query, setQuery] = useState('');
  const { data, error, reload } = useLoad(`redirects ${business.value?.id} ${query}`, (signal) =>
    souk.redirects.list({ limit: 100, ...(query ? { query } : {}) }, { signal }).take(MAX_RESULTS),
  );
  const shown = data?.filter(({ id }) => !isHidden(id));
  const remove = ({ id, from }: Redirect) =>
    deleteLater({ name: from, hides: id, reloads: 'redirects', run: () => souk.redirects.delete(id) });
  return (
    <>
      <p class="quiet">{t('redirects.hint')}</p>
      <div class="list-bar">
        <search>
          <input
            type="search"
            aria-label={t('redirects.search')}
            placeholder={t('redirects.search')}
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        </search>
      </div>
      <Problem error={error} retry={reload} />
      {!shown && !error && <SkeletonRows count={3} />}
      {shown?.length === 0 && <EmptyState title={t('redirects.none')} text={t('redirects.noneText')} />}
      {shown && shown.length > 0 && (
        <table class="plain-table">
          <caption class="visually-hidden">{t('redirects.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('redirects.from')}</th>
              <th scope="col">{t('redirects.to')}</th>
              <th scope="col" class="wide-only">
                {t('redirects.origin')}
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {shown.map((redirect) => (
              <tr key={redirect.id}>
                <td class="breaks">{redirect.from}</td>
                <td class="breaks">{redirect.to}</td>
                <td class="wide-only small quiet">
                  {t(redirect.isAutomatic ? 'redirects.automatic' : 'redirects.manual')}
                </td>
                <td>
                  <button
                    type="button"
                    class="link"
                    aria-label={`${t('parts.delete')}: ${redirect.from}`}
                    onClick={() => remove(redirect)}
                  >
                    {t('parts.delete')}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function NewRedirect({ close }: { close: () => void }) {
  const [values, setValues] = useState({ from: '', to: '' });
  const create = useAction(async () => {
    await souk.redirects.create({ from: values.from.trim(), to: values.to.trim() });
    forget('redirects');
    toast(t('redirects.created'));
    close();
  });
  const bind = (name: 'from' | 'to') => ({
    value: values[name],
    onInput: (text: string) => setValues({ ...values, [name]: text }),
    problem: problemOf(create.error, name),
  });
  return (
    <Dialog title={t('redirects.new')} close={close}>
      <Form submit={create.run} busy={create.isBusy}>
        <Problem error={create.error} />
        <TextField label={t('redirects.from')} hint={t('redirects.fromHint')} required {...bind('from')} />
        <TextField label={t('redirects.to')} hint={t('redirects.toHint')} required {...bind('to')} />
        <DialogActions close={close} />
      </Form>
    </Dialog>
  );
}
