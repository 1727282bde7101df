/** An import with its progress, results, and errors by row and column. */
import type { Import, ImportError } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { Confirm } from '../../parts/dialog.tsx';
import { forget, useAction, useLoad } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { number } from '../../parts/show.tsx';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { errorText, serviceText, t, tOr } from '../../text/index.ts';
import { ImportBadge } from './overview.tsx';
import { findSent, sendFile } from './send.ts';

const POLL_MS = 1000;
const isOpen = ({ status }: Import) => status === 'QUEUED' || status === 'RUNNING';

export default function Page({ id }: { id: string }) {
  const { data, error, reload } = useLoad(`import ${id}`, (signal) => souk.imports.get(id, { signal }));
  const isActive = data !== undefined && (isOpen(data) || data.pictures.waiting > 0);
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [isActive]);
  useEffect(() => {
    if (data && !isOpen(data)) for (const list of ['list', 'categories']) forget(list);
  }, [data?.status]);
  return (
    <PageFrame title={data?.fileName ?? t('imports.title')} back="/imports" aside={data && <ImportBadge {...data} />}>
      <Problem error={error} retry={reload} />
      {data && <Progress data={data} reload={reload} />}
      {data && <Counts data={data} />}
      {data && data.errorCount > 0 && <Errors key={data.errorCount} data={data} />}
      {data && data.warningCount > 0 && <Warnings key={data.warningCount} data={data} />}
    </PageFrame>
  );
}

function Progress({ data, reload }: { data: Import; reload: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useAction(async () => {
    await souk.imports.cancel(data.id);
    reload();
  });
  const again = useAction(async () => {
    const { file, query } = findSent(data.id)!;
    const created = await sendFile(file, { ...query, dryRun: false }, () => {});
    forget('list imports');
    navigate(`/imports/${created.id}`);
  });
  const isDryRunDone = data.dryRun && data.status === 'DONE';
  return (
    <Section title={t(data.dryRun && !isOpen(data) ? 'imports.dryRunDone' : 'imports.progress')}>
      <p>
        {t('imports.recognized', {
          format: tOr(`imports.format-${data.format}`, data.format),
          type: t(`imports.${data.type}`),
        })}
      </p>
      <progress value={data.progress} max={1} aria-label={t('imports.progress')} />
      <p class="small quiet">
        {t('imports.percent', { percent: Math.floor(data.progress * 100), rows: number(data.rows) })}
      </p>
      {data.error && <p class="notice bad">{serviceText(data.error)}</p>}
      {data.notes.map((note) => (
        <p key={note} class="notice breaks">
          {serviceText(note)}
        </p>
      ))}
      <Problem error={cancel.error ?? again.error} />
      <div class="actions">
        {isOpen(data) && (
          <button type="button" class="quiet" disabled={cancel.isBusy} onClick={() => setAsking(true)}>
            {t('imports.cancel')}
          </button>
        )}
        {isDryRunDone && findSent(data.id) && (
          <button type="button" disabled={again.isBusy} onClick={() => again.run()}>
            {t('imports.importNow')}
          </button>
        )}
        {isDryRunDone && !findSent(data.id) && <p class="quiet">{t('imports.chooseAgain')}</p>}
      </div>
      {isAsking && (
        <Confirm
          title={t('imports.cancelTitle')}
          text={t('imports.cancelText')}
          action={t('imports.cancel')}
          run={() => cancel.run()}
          close={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

const FIGURES = ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const;

function Counts({ data }: { data: Import }) {
  const { waiting, fetched, failed } = data.pictures;
  return (
    <Section title={t(data.dryRun ? 'imports.preview' : 'imports.result')}>
      <dl class="facts">
        {FIGURES.map((name) => (
          <div key={name}>
            <dt>{t(`imports.${name}`)}</dt>
            <dd class="number">{number(data[name])}</dd>
          </div>
        ))}
        {waiting + fetched + failed > 0 && (
          <div>
            <dt>{t('imports.images')}</dt>
            <dd>
              {t('imports.imagesText', {
                fetched: number(fetched),
                waiting: number(waiting),
                failed: number(failed),
              })}
            </dd>
          </div>
        )}
      </dl>
    </Section>
  );
}

function Errors({ data }: { data: Import }) {
  return (
    <Section title={t('imports.errors', { count: data.errorCount, number: number(data.errorCount) })}>
      <ErrorTable
        first={data.errors}
        list={(after) => souk.imports.listErrors(data.id, { limit: 100 }).page(after)}
        texts={{ table: t('imports.errorTable'), message: t('imports.message'), more: t('imports.moreErrors') }}
      />
    </Section>
  );
}

function Warnings({ data }: { data: Import }) {
  return (
    <Section title={t('imports.warnings', { count: data.warningCount, number: number(data.warningCount) })}>
      <p class="quiet">{t('imports.warningsText')}</p>
      <ErrorTable
        first={data.warnings}
        list={(after) => souk.imports.listWarnings(data.id, { limit: 100 }).page(after)}
        texts={{
          table: t('imports.warningTable'),
          message: t('imports.warningMessage'),
          more: t('imports.moreWarnings'),
        }}
      />
    </Section>
  );
}

type ErrorTableProps = {
  first: ImportError[];
  list: (after: string | null) => Promise<{ items: ImportError[]; cursor: string | null }>;
  texts: { table: string; message: string; more: string };
};

function ErrorTable({ first, list, texts }: ErrorTableProps) {
  const [rows, setRows] = useState<ImportError[]>(first);
  const [cursor, setCursor] = useState<string | null>(null);
  const load = useAction(async (after: string | null, previous: ImportError[]) => {
    const page = await list(after);
    setRows([...previous, ...page.items]);
    setCursor(page.cursor);
  });
  useEffect(() => void load.run(null, []), []);
  return (
    <>
      <Problem error={load.error} />
      <div class="scrolls">
        <table class="plain-table import-errors">
          <caption class="visually-hidden">{texts.table}</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                {t('imports.row')}
              </th>
              <th scope="col">{t('imports.column')}</th>
              <th scope="col">{texts.message}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((error, i) => (
              <tr key={`${error.row} ${error.field} ${i}`}>
                <td class="number">{error.row}</td>
                <td>{error.field || '–'}</td>
                <td class="breaks">{errorText(error)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cursor && (
        <button type="button" class="quiet" onClick={() => load.run(cursor, rows)}>
          {texts.more}
        </button>
      )}
    </>
  );
}
