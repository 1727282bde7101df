import { useState } from 'preact/hooks';
import { Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { DateField } from '../../../parts/form/number-fields.tsx';
import { useAction } from '../../../parts/load.ts';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

const DAY_SECONDS = 86_400;

/** Replays the events of a period. */
export function ReplayDialog({ id, close }: { id: string; close: () => void }) {
  const now = Math.floor(Date.now() / 1000);
  const [from, setFrom] = useState<number | null>(now - DAY_SECONDS);
  const [to, setTo] = useState<number | null>(now);
  const { run, isBusy, error } = useAction(async () => {
    if (from === null || to === null) return;
    const { events } = await souk.webhooks.replay(id, { from, to });
    toast(t('settings.replayed', { count: events }));
    close();
  });
  return (
    <Dialog title={t('settings.replay')} close={close}>
      <p>{t('settings.replayText')}</p>
      <Problem error={error} fields />
      <Form submit={run} busy={isBusy}>
        <DateField
          label={t('settings.from')}
          withTime
          value={from}
          onInput={setFrom}
          problem={problemOf(error, 'from')}
        />
        <DateField label={t('settings.to')} withTime value={to} onInput={setTo} problem={problemOf(error, 'to')} />
        <DialogActions close={close} label={t('settings.replay')} disabled={from === null || to === null} />
      </Form>
    </Dialog>
  );
}
