/** One import: how far it is, what became of its rows, and each error with its row and column. */
import type { Import, ImportError } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { Confirm } from '../../parts/dialog.tsx';
import { forget, useAction, useLoad } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { number } from '../../parts/show.tsx';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { said, t, tOr } from '../../text/index.ts';
import { ImportBadge } from './overview.tsx';
import { findSent, sendFile } from './send.ts';

const EVERY_MS = 1000;
const isOpen = ({ status }: Import) => status === 'QUEUED' || status === 'RUNNING';

export default function Page({ id }: { id: string }) {
  const { data, error, reload } = useLoad(`import ${id}`, (signal) => souk.imports.get(id, { signal }));
  const goesOn = data !== undefined && (isOpen(data) || data.pictures.waiting > 0);
  useEffect(() => {
    if (!goesOn) return;
    const timer = setInterval(reload, EVERY_MS);
    return () => clearInterval(timer);
  }, [goesOn]);
  useEffect(() => {
    if (data && !isOpen(data)) for (const list of ['list', 'categories']) forget(list);
  }, [data?.status]);
  return (
    <PageFrame title={data?.fileName ?? t('imports.title')} back="/imports" beside={data && <ImportBadge {...data} />}>
      <Problem error={error} retry={reload} />
      {data && <Progress data={data} reload={reload} />}
      {data && <Counts data={data} />}
      {data && data.errorCount > 0 && <Errors key={data.errorCount} data={data} />}
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
    const made = await sendFile(file, { ...query, dryRun: false }, () => {});
    forget('list imports');
    navigate(`/imports/${made.id}`);
  });
  const isTried = data.dryRun && data.status === 'DONE';
  return (
    <Section title={t(data.dryRun && !isOpen(data) ? 'imports.tried' : 'imports.progress')}>
      <p>
        {t('imports.recognised', {
          format: tOr(`imports.format-${data.format}`, data.format),
          type: t(`imports.${data.type}`),
        })}
      </p>
      <progress value={data.progress} max={1} aria-label={t('imports.progress')} />
      <p class="small quiet">
        {t('imports.percent', { percent: Math.floor(data.progress * 100), rows: number(data.rows) })}
      </p>
      {data.error && <p class="notice bad">{data.error}</p>}
      {data.notes.map((note) => (
        <p key={note} class="notice breaks">
          {note}
        </p>
      ))}
      <Problem error={cancel.error ?? again.error} />
      <div class="actions">
        {isOpen(data) && (
          <button type="button" class="quiet" disabled={cancel.isBusy} onClick={() => setAsking(true)}>
            {t('imports.cancel')}
          </button>
        )}
        {isTried && findSent(data.id) && (
          <button type="button" disabled={again.isBusy} onClick={() => again.run()}>
            {t('imports.importNow')}
          </button>
        )}
        {isTried && !findSent(data.id) && <p class="quiet">{t('imports.chooseAgain')}</p>}
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
    <Section title={t(data.dryRun ? 'imports.wouldHappen' : 'imports.happened')}>
      <dl class="facts">
        {FIGURES.map((name) => (
          <div key={name}>
            <dt>{t(`imports.${name}`)}</dt>
            <dd class="number">{number(data[name])}</dd>
          </div>
        ))}
        {waiting + fetched + failed > 0 && (
          <div>
            <dt>{t('imports.pictures')}</dt>
            <dd>
              {t('imports.picturesText', {
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
  const [rows, setRows] = useState<ImportError[]>(data.errors);
  const [cursor, setCursor] = useState<string | null>(null);
  const load = useAction(async (after: string | null, former: ImportError[]) => {
    const page = await souk.imports.listErrors(data.id, { limit: 100 }).page(after);
    setRows([...former, ...page.items]);
    setCursor(page.cursor);
  });
  useEffect(() => void load.run(null, []), []);
  return (
    <Section title={t('imports.errors', { count: data.errorCount, number: number(data.errorCount) })}>
      <Problem error={load.error} />
      <div class="scrolls">
        <table class="plain-table import-errors">
          <caption class="visually-hidden">{t('imports.errorTable')}</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                {t('imports.row')}
              </th>
              <th scope="col">{t('imports.column')}</th>
              <th scope="col">{t('imports.message')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((error, i) => (
              <tr key={`${error.row} ${error.field} ${i}`}>
                <td class="number">{error.row}</td>
                <td>{error.field || '–'}</td>
                <td class="breaks">{said(error)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cursor && (
        <button type="button" class="quiet" onClick={() => load.run(cursor, rows)}>
          {t('imports.moreErrors')}
        </button>
      )}
    </Section>
  );
}
