import type { NewWebhook } from '@souk/client';
import { useState } from 'preact/hooks';
import { forget } from '../../parts/load.ts';
import { useRecord } from '../../parts/record.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { SettingsPage } from './frame.tsx';
import { WebhookForm, type WebhookValues, webhookKey } from './webhook-form.tsx';

export default function Page() {
  const [made, setMade] = useState<NewWebhook | null>(null);
  const record = useRecord<WebhookValues>({
    key: 'new webhook',
    initial: { url: '', events: ['order.*'], description: '', enabled: true },
    save: async (_changes, { values }) => {
      const webhook = await souk.webhooks.create({ ...values, url: values.url.trim() });
      forget('webhooks');
      setMade(webhook);
      return { values, key: webhookKey(webhook.id) };
    },
  });
  return (
    <SettingsPage path="webhooks" title={t('settings.newWebhook')}>
      {() => (
        <>
          <WebhookForm record={record} test={(url) => souk.webhooks.testAddress({ url: url.trim() })} />
          {made && (
            <SecretDialog
              title={t('settings.webhookMade')}
              text={t('settings.webhookSecretText')}
              secret={made.secret}
              close={() => navigate(`/settings/webhooks/${made.id}`, { replace: true })}
            />
          )}
        </>
      )}
    </SettingsPage>
  );
}
