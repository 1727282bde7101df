/** Automations: emails that are sent automatically. */
import type { ListedAutomation } from '@souk/client';
import { DataList } from '../../../parts/list/data-list.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { number } from '../../../parts/show.tsx';
import { href } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { NewslettersFrame } from '../frame.tsx';
import { triggerText } from './describe.ts';

export const AUTOMATIONS = 'automations';

export const OnBadge = ({ enabled }: { enabled: boolean }) => (
  <span class={`badge ${enabled ? 'good' : ''}`}>{t(enabled ? 'automations.on' : 'automations.paused')}</span>
);

export default function Automations() {
  const create = (
    <a class="button" href={href('/newsletters/automations/new')}>
      {t('automations.new')}
    </a>
  );
  return (
    <NewslettersFrame part="automations" actions={create}>
      <p class="quiet">{t('automations.text')}</p>
      <DataList<ListedAutomation>
        name={AUTOMATIONS}
        label={t('automations.title')}
        load={(_query, cursor, signal) => souk.newsletters.listAutomations({ limit: 50 }, { signal }).page(cursor)}
        columns={[
          { head: t('automations.name'), cell: ({ name }) => name },
          { head: t('automations.trigger'), cell: ({ trigger }) => triggerText(trigger.type), isWide: true },
          { head: t('automations.steps'), cell: ({ steps }) => number(steps.length), isNumber: true, isWide: true },
          { head: t('automations.active'), cell: ({ active }) => number(active), isNumber: true },
          { head: t('automations.status'), cell: ({ enabled }) => <OnBadge enabled={enabled} /> },
        ]}
        rowHref={({ id }) => href(`/newsletters/automations/${id}`)}
        rowName={({ name }) => name}
        empty={<EmptyState title={t('automations.none')} text={t('automations.noneText')} action={create} />}
      />
    </NewslettersFrame>
  );
}
