/** The payment provider. Secrets are shown masked, and an unchanged masked secret is kept. */
import { SelectField, TextField } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/page.tsx';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from './part-form.tsx';
import { useBusiness } from './use-business.ts';

type Values = { type: '' | 'SANDBOX' | 'STRIPE'; publicKey: string; secretKey: string; webhookSecret: string };

export default function Page() {
  const record = useBusiness<Values>({
    name: 'payment',
    read: ({ configs: { paymentProvider } }) => {
      const { type = '', publicKey = '', secretKey = '', webhookSecret = '' } = paymentProvider ?? {};
      return { type, publicKey, secretKey, webhookSecret };
    },
    // Masked secrets belong to one provider. The sandbox has none.
    write: ({ type, ...texts }) => {
      if (type === 'SANDBOX') return { configs: { paymentProvider: { type } } };
      const filled = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim()));
      return type ? { configs: { paymentProvider: { type, ...filled } } } : {};
    },
  });
  const at = (field: string) => `configs.paymentProvider.${field}`;
  const names = {
    type: t('settings.provider'),
    publicKey: t('settings.publicKey'),
    secretKey: t('settings.secretKey'),
    webhookSecret: t('settings.webhookSecret'),
  };
  const address = `${location.origin}/v1/payments/webhooks/stripe/${business.value?.id}`;
  return (
    <PartForm path="payment" record={record} names={names}>
      {({ type }) => (
        <Section title={t('settings.payment')}>
          <SelectField
            label={names.type}
            {...record.bind('type', at('type'))}
            options={[
              ...(record.base?.type ? [] : ([['', t('settings.noProvider')]] as const)),
              ['SANDBOX', t('settings.SANDBOX')],
              ['STRIPE', 'Stripe'],
            ]}
          />
          {type === '' && <p class="quiet">{t('settings.noProviderText')}</p>}
          {type === 'SANDBOX' && <p class="quiet">{t('settings.sandboxText')}</p>}
          {type === 'STRIPE' && (
            <>
              <TextField label={names.publicKey} {...record.bind('publicKey', at('publicKey'))} />
              <TextField
                label={names.secretKey}
                hint={t('settings.secretHint')}
                {...record.bind('secretKey', at('secretKey'))}
              />
              <TextField
                label={names.webhookSecret}
                hint={t('settings.stripeWebhook', { address })}
                {...record.bind('webhookSecret', at('webhookSecret'))}
              />
            </>
          )}
        </Section>
      )}
    </PartForm>
  );
}
