import type { Sso } from '@souk/client';
import { useAction } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

type Props = { domains: Sso['domains']; verified: (sso: Sso) => void };

const countVerified = (domains: Sso['domains']) => domains.filter(({ verifiedAt }) => verifiedAt !== null).length;

/** The saved domains with their DNS records. */
export function Domains({ domains, verified }: Props) {
  const { run, isBusy, error } = useAction(async () => {
    const next = await souk.singleSignOn.verifySsoDomains();
    verified(next);
    toast(t(countVerified(next.domains) > countVerified(domains) ? 'sso.someVerified' : 'sso.noneVerified'));
  });
  if (domains.length === 0) return null;
  return (
    <>
      <ul class="entries" aria-label={t('sso.domains')}>
        {domains.map(({ domain, recordName, recordValue, verifiedAt }) => (
          <li key={domain}>
            <span>{domain}</span>
            <span class={`badge ${verifiedAt === null ? '' : 'good'}`}>
              {t(verifiedAt === null ? 'sso.pending' : 'sso.verified')}
            </span>
            {verifiedAt === null && (
              <span class="small breaks">
                {`${t('sso.record')}: `}
                <code>{recordName}</code> <code>{recordValue}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
      <Problem error={error} />
      {countVerified(domains) < domains.length && (
        <div>
          <button type="button" class="quiet" disabled={isBusy} onClick={() => run()}>
            {t('sso.verify')}
          </button>
        </div>
      )}
    </>
  );
}
