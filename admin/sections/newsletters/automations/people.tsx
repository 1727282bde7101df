/** The people in an automation with their current step, and the people who have left it. */
import type { AutomationPerson } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { DataList } from '../../../parts/list/data-list.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { can, souk } from '../../../shell/session.ts';
import { type TextKey, t } from '../../../text/index.ts';
import { AutomationFrame, useAutomation } from './frame.tsx';

const STATUSES = ['ACTIVE', 'COMPLETED', 'EXITED'] as const;
const TONES: Record<string, string> = { ACTIVE: 'wait', COMPLETED: 'good' };

type Row = AutomationPerson & { id: string };

export default function AutomationPeople({ id }: { id: string }) {
  const automation = useAutomation(id);
  const [leaving, setLeaving] = useState<Row | null>(null);
  const list = `automation people ${id}`;
  const stop = useAction(async ({ subscriptionId, email }: Row) => {
    await souk.newsletters.stopAutomationPerson(id, subscriptionId);
    forget(`list ${list}`);
    toast(t('automations.personRemoved', { email }));
  });
  const stepText = ({ stepId }: Row) => {
    const at = automation.data?.steps.findIndex((step) => step.id === stepId) ?? -1;
    const step = automation.data?.steps[at];
    return step ? `${at + 1}. ${t(`automations.${step.type}`)}` : '–';
  };
  return (
    <AutomationFrame id={id} part="people" name={automation.data?.name ?? t('automations.title')}>
      <Problem error={stop.error} />
      <DataList<Row>
        name={list}
        label={t('automations.people')}
        filters={[
          {
            name: 'status',
            label: t('automations.personStatus'),
            options: STATUSES.map((each) => [each, t(`automations.${each}`)]),
          },
        ]}
        load={async ({ status }, cursor, signal) => {
          const query = { limit: 50, ...(status ? { status: status as 'ACTIVE' } : {}) };
          const page = await souk.newsletters.listAutomationPeople(id, query, { signal }).page(cursor);
          const items = page.items.map((row) => ({ ...row, id: `${row.subscriptionId} ${row.enteredAt}` }));
          return { ...page, items };
        }}
        columns={[
          {
            head: t('newsletters.email'),
            cell: (row) =>
              row.status === 'ACTIVE' && can('NEWSLETTER_SEND') ? (
                <button
                  type="button"
                  class="link row-link"
                  title={t('automations.removePerson')}
                  onClick={() => setLeaving(row)}
                >
                  {row.email}
                </button>
              ) : (
                row.email
              ),
          },
          { head: t('automations.personStatus'), cell: (row) => <PersonStatus row={row} /> },
          { head: t('automations.next'), cell: stepText, isWide: true },
          {
            head: t('automations.due'),
            cell: ({ dueAt }) => (dueAt === null ? '–' : <DateTime at={dueAt} />),
            isWide: true,
          },
          { head: t('automations.entered'), cell: ({ enteredAt }) => <DateTime at={enteredAt} />, isWide: true },
        ]}
        rowName={({ email }) => email}
        empty={<EmptyState title={t('automations.nobody')} text={t('automations.nobodyText')} />}
      />
      {leaving && (
        <Confirm
          title={t('automations.removePersonTitle', { email: leaving.email })}
          text={t('automations.removePersonText')}
          action={t('automations.removePerson')}
          run={() => stop.run(leaving)}
          close={() => setLeaving(null)}
        />
      )}
    </AutomationFrame>
  );
}

const PersonStatus = ({ row: { status, reason } }: { row: Row }) => (
  <>
    <span class={`badge ${TONES[status] ?? ''}`}>{t(`automations.${status}` as TextKey)}</span>
    {reason && <span class="small quiet person-reason">{t(`automations.reason_${reason}` as TextKey)}</span>}
  </>
);
