/** Exports or erases the personal data of a customer or a subscriber. For ADMINs. `id`: the ID of the customer or the subscription. */
import type { Erasure } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { can, souk } from '../shell/session.ts';
import { t, tOr } from '../text/index.ts';
import { Dialog } from './dialog.tsx';
import { Form, TextField } from './form/form.tsx';
import { useAction } from './load.ts';
import { Problem } from './problem.tsx';
import { saveJson } from './save-file.ts';
import { toast } from './toast.tsx';

const POLL_MS = 700;

type Props = { id: string; name: string; erased: () => void };

export function PersonalData({ id, name, erased }: Props) {
  const [isOpen, setOpen] = useState(false);
  const save = useAction(async () => {
    saveJson(`personal-data-${id}.json`, await souk.privacy.exportCustomerData(id));
    toast(t('privacy.exported'));
  });
  if (!can('ADMIN')) return null;
  return (
    <div>
      <Problem error={save.error} />
      <div class="actions">
        <button type="button" class="quiet" disabled={save.isBusy} onClick={() => save.run()}>
          {t('privacy.export')}
        </button>
        <button type="button" class="danger" onClick={() => setOpen(true)}>
          {t('privacy.erase')}
        </button>
      </div>
      {isOpen && <EraseDialog id={id} name={name} erased={erased} close={() => setOpen(false)} />}
    </div>
  );
}

/** The user must enter the name, because erasure can't be undone. The report stays open until it is closed. */
function EraseDialog({ id, name, erased, close }: Props & { close: () => void }) {
  const [typed, setTyped] = useState('');
  const [erasure, setErasure] = useState<Erasure | null>(null);
  const isConfirmed = typed.trim() === name;
  const erase = useAction(async () => setErasure(await souk.privacy.eraseCustomerData(id)));
  const isRunning = erasure?.status === 'RUNNING';
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(
      () => souk.privacy.getErasure(erasure.id).then(setErasure, () => setErasure({ ...erasure })),
      POLL_MS,
    );
    return () => clearTimeout(timer);
  }, [erasure]);
  const leave = erasure?.status === 'DONE' ? erased : close;
  return (
    <Dialog title={t('privacy.erase')} close={isRunning ? null : leave}>
      <Problem error={erase.error} />
      {erasure ? (
        <Progress erasure={erasure} leave={leave} />
      ) : (
        <Form submit={() => isConfirmed && erase.run()} busy={erase.isBusy}>
          <p>{t('privacy.eraseText')}</p>
          <TextField label={t('privacy.typeToErase', { name })} value={typed} onInput={setTyped} />
          <div class="actions end">
            <button type="submit" class="danger" disabled={!isConfirmed}>
              {t('privacy.erase')}
            </button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

function Progress({ erasure, leave }: { erasure: Erasure; leave: () => void }) {
  if (erasure.status === 'RUNNING') return <p role="status">{t('privacy.erasing')}</p>;
  return (
    <>
      <div role="status">
        <ErasureReport report={erasure.report} />
      </div>
      <div class="actions end">
        <button type="button" onClick={leave}>
          {t('parts.close')}
        </button>
      </div>
    </>
  );
}

export function ErasureReport({ report: { erased, kept } }: Pick<Erasure, 'report'>) {
  const line = ({ what, count }: { what: string; count: number }) =>
    t('privacy.count', { what: tOr(`privacy.what_${what}`, what), count });
  return (
    <>
      <h3>{t('privacy.erased')}</h3>
      {erased.length === 0 && <p class="quiet">{t('privacy.nothingErased')}</p>}
      <ul>
        {erased.map((each) => (
          <li key={each.what}>{line(each)}</li>
        ))}
      </ul>
      <h3>{t('privacy.kept')}</h3>
      {kept.length === 0 && <p class="quiet">{t('privacy.nothingKept')}</p>}
      <ul>
        {kept.map((each) => (
          <li key={`${each.what} ${each.reason}`}>
            {line(each)} <span class="small quiet">{t(`privacy.reason_${each.reason}`)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
