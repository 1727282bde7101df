import type { ListedImport } from '@souk/client';
import { Download } from '../../parts/download.tsx';
import { DataList } from '../../parts/list/data-list.tsx';
import { Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { DateTime, number, StatusBadge } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { NewImport } from './new-import.tsx';
import { canImport, EXPORT_TYPES } from './types.ts';

export function ImportsAndExports() {
  return (
    <>
      <Section title={t('imports.import')}>
        <NewImport />
      </Section>
      <Section title={t('imports.export')}>
        <p class="quiet">{t('imports.exportText')}</p>
        <ul class="exports">
          {EXPORT_TYPES.filter(canImport).map((type) => (
            <li key={type}>
              <span>{t(`imports.${type}`)}</span>
              {(['csv', 'ndjson'] as const).map((format) => (
                <Download
                  key={format}
                  label={t('imports.exportAs', { type: t(`imports.${type}`), format: format.toUpperCase() })}
                  load={() => souk.imports.exportRecords({ type, format })}
                />
              ))}
            </li>
          ))}
          {can('ADMIN') && (
            <li>
              <span>{t('imports.business')}</span>
              <Download label={t('imports.exportBusiness')} load={() => souk.imports.exportBusiness()} />
            </li>
          )}
        </ul>
      </Section>
      <Section title={t('imports.recent')}>
        <DataList<ListedImport>
          name="imports"
          label={t('imports.recent')}
          load={(_query, cursor, signal) => souk.imports.list({ limit: 50 }, { signal }).page(cursor)}
          rowHref={({ id }) => href(`/imports/${id}`)}
          rowName={({ fileName }) => fileName}
          columns={[
            { head: t('imports.file'), cell: ({ fileName }) => fileName },
            { head: t('imports.type'), cell: ({ type }) => t(`imports.${type}`), isWide: true },
            { head: t('imports.rows'), cell: ({ rows }) => number(rows), isNumber: true, isWide: true },
            { head: t('imports.failed'), cell: ({ failed }) => number(failed), isNumber: true, isWide: true },
            { head: t('imports.when'), cell: ({ createdAt }) => <DateTime at={createdAt} />, isWide: true },
            {
              head: t('imports.status'),
              cell: ({ status, dryRun }) => <ImportBadge status={status} dryRun={dryRun} />,
            },
          ]}
          empty={<EmptyState title={t('imports.none')} text={t('imports.noneText')} />}
        />
      </Section>
    </>
  );
}

export const ImportBadge = ({ status, dryRun }: { status: string; dryRun: boolean }) => (
  <>
    <StatusBadge status={status} isTask /> {dryRun && <span class="badge">{t('imports.dryRun')}</span>}
  </>
);
