import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, TextField } from '../../../parts/form/form.tsx';
import { useAction } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { business, can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

/** The user must enter the name, because deletion can't be undone. */
export function DeleteBusiness({ etag }: { etag: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { id, name } = business.value!;
  const isConfirmed = typed.trim() === name;
  const { run, isBusy, error } = useAction(async () => {
    await souk.businesses.delete(id, etag ? { ifMatch: etag } : {});
    location.assign('/admin');
  });
  if (!can('ADMIN')) return null;
  return (
    <Section title={t('settings.deleteBusiness')}>
      <p class="quiet">{t('settings.deleteBusinessText')}</p>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {t('settings.deleteBusiness')}
      </button>
      {isOpen && (
        <Dialog title={t('settings.deleteBusiness')} close={() => setOpen(false)}>
          <Problem error={error} />
          <Form submit={() => isConfirmed && run()} busy={isBusy}>
            <TextField label={t('settings.typeName', { name })} value={typed} onInput={setTyped} />
            <div class="actions end">
              <button type="submit" class="danger" disabled={!isConfirmed}>
                {t('parts.delete')}
              </button>
            </div>
          </Form>
        </Dialog>
      )}
    </Section>
  );
}
