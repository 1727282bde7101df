/** The sender of the business's emails. */
import { TextField } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/page.tsx';
import { t } from '../../../text/index.ts';
import { PartForm } from './part-form.tsx';
import { useBusiness } from './use-business.ts';

type Values = { fromName: string; replyTo: string };

export default function Page() {
  const record = useBusiness<Values>({
    name: 'email',
    read: ({ configs: { email = {} } }) => ({ fromName: email.fromName ?? '', replyTo: email.replyTo ?? '' }),
    write: ({ fromName, replyTo }) => ({
      configs: {
        email: { ...(fromName.trim() ? { fromName } : {}), ...(replyTo.trim() ? { replyTo: replyTo.trim() } : {}) },
      },
    }),
  });
  const names = { fromName: t('settings.fromName'), replyTo: t('settings.replyTo') };
  return (
    <PartForm path="email" record={record} names={names}>
      {() => (
        <Section title={t('settings.email')}>
          <p class="quiet">{t('settings.emailText')}</p>
          <TextField
            label={names.fromName}
            hint={t('settings.fromNameHint')}
            {...record.bind('fromName', 'configs.email.fromName')}
          />
          <TextField
            label={names.replyTo}
            type="email"
            hint={t('settings.replyToHint')}
            {...record.bind('replyTo', 'configs.email.replyTo')}
          />
        </Section>
      )}
    </PartForm>
  );
}
