import type { Rotated, Webhook, WebhookChange } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { SecretDialog } from '../../../parts/keys/secret-dialog.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { dateTime, StatusBadge } from '../../../parts/show.tsx';
import { deleteLater } from '../../../parts/toast.tsx';
import { navigate } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { serviceText, t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';
import { Deliveries } from './deliveries.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { WebhookForm, type WebhookValues, webhookKey } from './webhook-form.tsx';

export default function Page({ id }: { id: string }) {
  const [webhook, setWebhook] = useState<Webhook | null>(null);
  const toVersion = (found: Webhook & { etag: string }) => {
    setWebhook(found);
    const { url, events, description, enabled, etag } = found;
    return { values: { url, events, description, enabled }, etag };
  };
  const record = useRecord<WebhookValues>({
    key: webhookKey(id),
    load: async (signal) => toVersion(await souk.webhooks.get(id, { signal })),
    save: async (changes, { ifMatch }) => {
      const saved = await souk.webhooks.update(id, changes as WebhookChange, ifMatch ? { ifMatch } : {});
      forget('webhooks');
      return toVersion(saved);
    },
  });
  const { base, etag } = record;
  const title = base ? base.description || base.url : t('settings.webhook');
  const remove = () => {
    const client = souk;
    deleteLater({
      name: title,
      hides: id,
      reloads: 'webhooks',
      run: () => client.webhooks.delete(id, etag ? { ifMatch: etag } : {}),
    });
    navigate('/settings/webhooks');
  };
  return (
    <SettingsPage
      path="webhooks"
      title={title}
      aside={base && <StatusBadge status={base.enabled ? 'ENABLED' : 'DISABLED'} />}
      actions={
        <button type="button" class="quiet" onClick={remove}>
          {t('parts.delete')}
        </button>
      }
    >
      {() => (
        <>
          {webhook && <FailureNotice webhook={webhook} />}
          {!record.values && !record.error && <SkeletonRows count={4} />}
          <WebhookForm record={record} test={() => souk.webhooks.test(id)} />
          {base && <Secret id={id} />}
          {base && <DeliveryPart id={id} />}
        </>
      )}
    </SettingsPage>
  );
}

function FailureNotice({ webhook: { disabledReason, failingSince } }: { webhook: Webhook }) {
  if (disabledReason)
    return <p class="notice bad">{t('settings.disabledBy', { reason: serviceText(disabledReason) })}</p>;
  if (failingSince) return <p class="notice bad">{t('settings.failingSince', { time: dateTime(failingSince) })}</p>;
  return null;
}

function Secret({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const [rotated, setRotated] = useState<Rotated | null>(null);
  const { run, isBusy, error } = useAction(async () => setRotated(await souk.webhooks.rotate(id)));
  return (
    <Section title={t('settings.signingSecret')}>
      <p class="quiet">{t('settings.secretText')}</p>
      <Problem error={error} />
      <button type="button" class="quiet" disabled={isBusy} onClick={() => setAsking(true)}>
        {t('settings.rotate')}
      </button>
      {isAsking && (
        <Confirm
          title={t('settings.rotate')}
          text={t('settings.rotateText')}
          action={t('settings.rotate')}
          run={run}
          close={() => setAsking(false)}
        />
      )}
      {rotated && (
        <SecretDialog
          title={t('settings.rotated')}
          text={t('settings.rotatedText', { time: dateTime(rotated.previousValidUntil) })}
          label={t('settings.signingSecret')}
          secret={rotated.secret}
          close={() => setRotated(null)}
        />
      )}
    </Section>
  );
}

function DeliveryPart({ id }: { id: string }) {
  const [isReplaying, setReplaying] = useState(false);
  const replay = (
    <button type="button" class="quiet" onClick={() => setReplaying(true)}>
      {t('settings.replay')}
    </button>
  );
  return (
    <Section title={t('settings.deliveries')} actions={replay}>
      <Deliveries webhookId={id} />
      {isReplaying && <ReplayDialog id={id} close={() => setReplaying(false)} />}
    </Section>
  );
}
