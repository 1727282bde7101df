import type { NewWebhook, WebhookInput } from '@souk/client';
import { useState } from 'preact/hooks';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { SecretDialog } from '../../../parts/keys/secret-dialog.tsx';
import { forget } from '../../../parts/load.ts';
import { navigate } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';
import { WebhookForm, type WebhookValues, webhookKey } from './webhook-form.tsx';

export default function Page() {
  const [created, setCreated] = useState<NewWebhook | null>(null);
  const record = useRecord<WebhookValues>({
    key: 'new webhook',
    initial: { url: '', events: ['order.*'], description: '', enabled: true },
    save: async (_changes, { values }) => {
      const webhook = await souk.webhooks.create({ ...values, url: values.url.trim() } as WebhookInput);
      forget('webhooks');
      setCreated(webhook);
      return { values, key: webhookKey(webhook.id) };
    },
  });
  return (
    <SettingsPage path="webhooks" title={t('settings.newWebhook')}>
      {() => (
        <>
          <WebhookForm record={record} test={(url) => souk.webhooks.testAddress({ url: url.trim() })} />
          {created && (
            <SecretDialog
              title={t('settings.webhookCreated')}
              text={t('settings.webhookSecretText')}
              label={t('settings.signingSecret')}
              secret={created.secret}
              close={() => navigate(`/settings/webhooks/${created.id}`, { replace: true })}
            />
          )}
        </>
      )}
    </SettingsPage>
  );
}
