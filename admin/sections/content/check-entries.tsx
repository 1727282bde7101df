import type { InvalidEntry } from '@souk/client';
import { useState } from 'preact/hooks';
import { useAction } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const MAX_RESULTS = 100;

/** Finds the entries that no longer match the saved fields. */
export function CheckEntries({ id }: { id: string }) {
  const [invalidEntries, setInvalidEntries] = useState<InvalidEntry[]>();
  const check = useAction(async () => setInvalidEntries(await souk.collections.validate(id).take(MAX_RESULTS)));
  return (
    <Section title={t('content.check')}>
      <p class="hint">{t('content.checkText')}</p>
      <Problem error={check.error} />
      {invalidEntries?.length === 0 && <p role="status">{t('content.checkedFine')}</p>}
      {invalidEntries && invalidEntries.length > 0 && (
        <ul>
          {invalidEntries.map(({ entryId, errors }) => (
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
