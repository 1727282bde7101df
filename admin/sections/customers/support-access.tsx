/** Views the shop as a customer. The token can only read, and the notice is shown until the session ends. */
import type { SupportSession } from '@souk/client';
import { useState } from 'preact/hooks';
import { ReadOnlyField } from '../../parts/form/read-only-field.tsx';
import { useAction } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.tsx';
import { business, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const timeOf = (seconds: number) =>
  new Date(seconds * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

export function SupportAccess({ id, name }: { id: string; name: string }) {
  const [session, setSession] = useState<SupportSession | null>(null);
  const start = useAction(async () => setSession(await souk.customers.createSupportSession(id)));
  const end = useAction(async () => {
    await souk.customers.deleteSupportSession(session!.id);
    setSession(null);
    toast(t('sso.supportEnded'));
  });
  return (
    <Section title={t('sso.support')}>
      <Problem error={start.error ?? end.error} />
      {session ? (
        <>
          <p class="notice" role="status">
            {t('sso.supportActive', { name, time: timeOf(session.expiresAt) })}
          </p>
          <p class="actions">
            {business.value?.configs.storefront?.enabled && (
              <a
                class="button"
                href={`/s/${business.value.slug}/login/support#token=${session.accessToken}`}
                target="_blank"
                rel="noreferrer"
              >
                {t('sso.supportOpen')}
              </a>
            )}
            <button type="button" class="quiet" disabled={end.isBusy} onClick={() => end.run()}>
              {t('sso.supportEnd')}
            </button>
          </p>
          <details>
            <summary>{t('sso.supportOwn')}</summary>
            <ReadOnlyField label={t('sso.supportToken')} value={session.accessToken} />
          </details>
        </>
      ) : (
        <>
          <p class="quiet">{t('sso.supportText', { name })}</p>
          <button type="button" class="quiet" disabled={start.isBusy} onClick={() => start.run()}>
            {t('sso.supportStart')}
          </button>
        </>
      )}
    </Section>
  );
}
