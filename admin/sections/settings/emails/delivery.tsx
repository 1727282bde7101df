/** The email provider that reports bounces and complaints. */
import { SelectField, TextField } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/page.tsx';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from '../business/part-form.tsx';
import { useBusiness } from '../business/use-business.ts';

const PROVIDERS = { SES: 'Amazon SES', MAILGUN: 'Mailgun', POSTMARK: 'Postmark', SENDGRID: 'SendGrid' } as const;
type Provider = keyof typeof PROVIDERS;
type Values = { type: '' | Provider; secret: string };

export default function Page() {
  const record = useBusiness<Values>({
    name: 'mail-events',
    read: ({ configs: { mailEvents } }) => ({ type: mailEvents?.type ?? '', secret: mailEvents?.secret ?? '' }),
    write: ({ type, secret }) => ({ configs: type ? { mailEvents: { type, secret: secret.trim() } } : {} }),
  });
  const names = { type: t('delivery.provider'), secret: t('delivery.secret') };
  const choose = (type: Values['type']) => {
    record.set('type', type);
    record.set('secret', type === record.base?.type ? record.base.secret : '');
  };
  return (
    <PartForm path="delivery" record={record} names={names}>
      {({ type }) => (
        <Section title={t('delivery.title')}>
          <p class="quiet">{t('delivery.text')}</p>
          <SelectField
            label={names.type}
            value={type}
            onInput={(next) => choose(next as Values['type'])}
            problem={record.problem('configs.mailEvents.type')}
            options={[
              ...(record.base?.type ? [] : ([['', t('delivery.none')]] as const)),
              ...(Object.entries(PROVIDERS) as [Provider, string][]),
            ]}
          />
          {type && (
            <>
              <TextField
                label={t(`delivery.secret_${type}`)}
                hint={t(`delivery.hint_${type}`)}
                {...record.bind('secret', 'configs.mailEvents.secret')}
              />
              <p>
                {t('delivery.url')}
                <br />
                <code>{urlOf(type)}</code>
              </p>
            </>
          )}
        </Section>
      )}
    </PartForm>
  );
}

function urlOf(type: Provider): string {
  const { protocol, host } = location;
  const login = type === 'POSTMARK' ? `souk:${t('delivery.password')}@` : '';
  return `${protocol}//${login}${host}/v1/mail/events/${type.toLowerCase()}/${business.value?.id}`;
}
