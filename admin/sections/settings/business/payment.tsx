/** The payment provider, and the account for bank transfers. Secrets are shown masked, and an unchanged masked secret is kept. */
import { optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { Section } from '../../../parts/page.tsx';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from './part-form.tsx';
import { useBusiness } from './use-business.ts';

type Values = {
  type: '' | 'SANDBOX' | 'STRIPE';
  publicKey: string;
  secretKey: string;
  webhookSecret: string;
  holder: string;
  iban: string;
  bic: string;
  bankName: string;
  days: number | null;
};
const DEFAULT_DAYS = 14;

const BANK_FIELDS = ['holder', 'iban', 'bic', 'bankName', 'days'] as const;

const filledIn = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim()));

const accountOf = ({ holder, iban, bic, bankName, days }: Pick<Values, (typeof BANK_FIELDS)[number]>) => ({
  holder: holder.trim(),
  iban: iban.trim(),
  ...filledIn({ bic: bic.trim(), bankName: bankName.trim() }),
  days: days ?? DEFAULT_DAYS,
});

export default function Page() {
  const record = useBusiness<Values>({
    name: 'payment',
    read: ({ configs: { paymentProvider, bankTransfer } }) => {
      const { type = '', publicKey = '', secretKey = '', webhookSecret = '' } = paymentProvider ?? {};
      const { holder = '', iban = '', bic = '', bankName = '', days = DEFAULT_DAYS } = bankTransfer ?? {};
      const spaced = iban.replaceAll(/(.{4})(?=.)/g, '$1 ');
      return { type, publicKey, secretKey, webhookSecret, holder, iban: spaced, bic, bankName, days };
    },
    // Masked secrets belong to one provider. The sandbox has none.
    write: ({ type, publicKey, secretKey, webhookSecret, ...account }, changes) => {
      const secrets = type === 'STRIPE' ? filledIn({ publicKey, secretKey, webhookSecret }) : {};
      const isAccountChanged = BANK_FIELDS.some((field) => field in changes);
      return {
        configs: {
          ...(type ? { paymentProvider: { type, ...secrets } } : {}),
          ...(isAccountChanged ? { bankTransfer: accountOf(account) } : {}),
        },
      };
    },
  });
  const at = (field: string) => `configs.paymentProvider.${field}`;
  const bankField = (field: string) => `configs.bankTransfer.${field}`;
  const names = {
    type: t('settings.provider'),
    publicKey: t('settings.publicKey'),
    secretKey: t('settings.secretKey'),
    webhookSecret: t('settings.webhookSecret'),
    holder: t('settings.bankHolder'),
    iban: t('settings.bankIban'),
    bic: t('settings.bankBic'),
    bankName: t('settings.bankName'),
    days: t('settings.bankDays'),
  };
  const address = `${location.origin}/v1/payments/webhooks/stripe/${business.value?.id}`;
  return (
    <PartForm path="payment" record={record} names={names}>
      {({ type, days }) => (
        <>
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
          <Section title={t('settings.bankTransfer')}>
            <p class="quiet">{t('settings.bankText')}</p>
            <TextField label={names.holder} {...record.bind('holder', bankField('holder'))} />
            <TextField label={names.iban} {...record.bind('iban', bankField('iban'))} />
            <div class="fields">
              <TextField label={optional(names.bic)} {...record.bind('bic', bankField('bic'))} />
              <TextField label={optional(names.bankName)} {...record.bind('bankName', bankField('bankName'))} />
            </div>
            <NumberField
              label={names.days}
              hint={t('settings.bankDaysHint')}
              value={days}
              onInput={(next) => record.set('days', next)}
              problem={record.problem(bankField('days'))}
            />
          </Section>
        </>
      )}
    </PartForm>
  );
}
