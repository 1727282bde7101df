import type { Misfit } from '@souk/client';
import { useState } from 'preact/hooks';
import { useAction } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const MOST = 100;

/** The entries that no longer fit the fields that are saved. */
export function CheckEntries({ id }: { id: string }) {
  const [misfits, setMisfits] = useState<Misfit[]>();
  const check = useAction(async () => setMisfits(await souk.collections.validate(id).take(MOST)));
  return (
    <Section title={t('content.check')}>
      <p class="hint">{t('content.checkText')}</p>
      <Problem error={check.error} />
      {misfits?.length === 0 && <p role="status">{t('content.checkedFine')}</p>}
      {misfits && misfits.length > 0 && (
        <ul>
          {misfits.map(({ entryId, errors }) => (
            <li key={entryId}>
              <a href={href(`/content/${id}/${entryId}`)}>{entryId}</a>:{' '}
              {errors.map(({ message }) => message).join(' ')}
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="quiet" aria-busy={check.isBusy} onClick={() => check.run()}>
        {t('content.check')}
      </button>
    </Section>
  );
}
