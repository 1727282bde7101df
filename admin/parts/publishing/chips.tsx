/** Scheduled changes to a record, next to its status in a list: `<PlannedChips record={entry} />`. */
import type { ScheduledStatus } from '@souk/client';
import { t } from '../../text/index.ts';
import { dateTime, statusText } from '../show.tsx';

export type Planned = { scheduled?: ScheduledStatus[]; hasDraft?: boolean };

export const plannedText = ({ status, timestamp, error }: ScheduledStatus) => {
  const values = { status: statusText(status), time: dateTime(timestamp) };
  return error ? t('publishing.failed', { ...values, error }) : t('publishing.becomes', values);
};

export function PlannedChips({ record: { scheduled = [], hasDraft = false } }: { record: Planned }) {
  const [next] = scheduled;
  return (
    <span class="badges">
      {hasDraft && <span class="badge wait">{t('publishing.chipDraft')}</span>}
      {next && (
        <span class={`badge ${next.error ? 'bad' : 'wait'}`} title={plannedText(next)}>
          {next.error ? t('publishing.chipFailed') : plannedText(next)}
        </span>
      )}
    </span>
  );
}
