/** Erasure requests, with the erased data, the kept data and the reasons. */
import type { Erasure } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { DataList } from '../../../parts/list/data-list.tsx';
import { ErasureReport } from '../../../parts/personal-data.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { DateTime } from '../../../parts/show.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';

export default function Page() {
  return <SettingsPage path="erasures">{() => <Erasures />}</SettingsPage>;
}

function Erasures() {
  const [opened, setOpened] = useState<Erasure | null>(null);
  return (
    <>
      <p class="quiet">{t('privacy.erasuresText')}</p>
      <DataList
        name="erasures"
        label={t('privacy.erasures')}
        load={(_filter, cursor, signal) => souk.privacy.listErasures({ limit: 50 }, { signal }).page(cursor)}
        rowName={({ subject }) => subject}
        columns={[
          {
            head: t('privacy.subject'),
            cell: (erasure) => (
              <button type="button" class="link breaks" onClick={() => setOpened(erasure)}>
                {erasure.subject}
              </button>
            ),
          },
          { head: t('privacy.status'), cell: ({ status }) => t(`privacy.status_${status}`) },
          { head: t('privacy.requested'), cell: ({ createdAt }) => <DateTime at={createdAt} />, isWide: true },
        ]}
        empty={<EmptyState title={t('privacy.noErasures')} text={t('privacy.noErasuresText')} />}
      />
      {opened && <ErasureDialog erasure={opened} close={() => setOpened(null)} />}
    </>
  );
}

function ErasureDialog({ erasure, close }: { erasure: Erasure; close: () => void }) {
  const { subject, status, requestedBy, createdAt, completedAt, report } = erasure;
  return (
    <Dialog title={t('privacy.erasures')} close={close}>
      <dl class="facts">
        <div>
          <dt>{t('privacy.subject')}</dt>
          <dd class="breaks">{subject}</dd>
        </div>
        <div>
          <dt>{t('privacy.requested')}</dt>
          <dd>
            <DateTime at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>{t('privacy.requestedBy')}</dt>
          <dd class="breaks">{requestedBy ?? t('privacy.byPerson')}</dd>
        </div>
        <div>
          <dt>{t('privacy.completed')}</dt>
          <dd>{completedAt === null ? t(`privacy.status_${status}`) : <DateTime at={completedAt} />}</dd>
        </div>
      </dl>
      <ErasureReport report={report} />
    </Dialog>
  );
}
