/** Uploads bank statements and lists them. */
import type { ListedStatement } from '@souk/client';
import { useRef } from 'preact/hooks';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { PageFrame, Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime } from '../../../parts/show.tsx';
import { href, navigate } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

const ACCEPTED = '.xml,.csv,.txt,text/xml,application/xml,text/csv';

export default function Page() {
  const { data, error, reload } = useLoad<ListedStatement[]>('bank statements', (signal) =>
    souk.orders.listBankStatements({ limit: 100 }, { signal }).take(100),
  );
  return (
    <PageFrame title={t('bank.title')} back="/orders">
      {can('ORDER_WRITE') && <Upload />}
      <Section title={t('bank.uploaded')}>
        <Problem error={error} retry={reload} />
        {!data && !error && <SkeletonRows />}
        {data?.length === 0 && <p class="quiet">{t('bank.none')}</p>}
        {data && data.length > 0 && (
          <ul class="bank-list">
            {data.map(({ id, fileName, createdAt, count, booked }) => (
              <li key={id}>
                <a href={href(`/orders/bank-statements/${id}`)}>{fileName}</a>
                <span>{t('bank.bookedOf', { booked, total: count })}</span>
                <small class="quiet">
                  <DateTime at={createdAt} />
                </small>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </PageFrame>
  );
}

function Upload() {
  const input = useRef<HTMLInputElement>(null);
  const { run, isBusy, error } = useAction(async (file: File) => {
    const { id } = await souk.orders.createBankStatement(file, {
      query: { fileName: file.name.slice(0, 200) },
      headers: { 'content-type': 'application/octet-stream' },
    });
    forget('bank statements');
    navigate(`/orders/bank-statements/${id}`);
  });
  return (
    <Section title={t('bank.upload')}>
      <p class="quiet">{t('bank.uploadText')}</p>
      <Problem error={error} />
      <button type="button" disabled={isBusy} aria-busy={isBusy} onClick={() => input.current?.click()}>
        {t('bank.choose')}
      </button>
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        accept={ACCEPTED}
        tabIndex={-1}
        aria-label={t('bank.file')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) run(file);
        }}
      />
    </Section>
  );
}
