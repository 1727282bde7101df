/** The sender and the design of the business's emails, and the list of their templates. */
import type { Media } from '@souk/client';
import { RecordNotices, SaveBar } from '../../../parts/editing/record-view.tsx';
import { ColorField } from '../../../parts/form/color-field.tsx';
import { SelectField, TextField } from '../../../parts/form/form.tsx';
import { MailPreview } from '../../../parts/mail-preview.tsx';
import { MediaField } from '../../../parts/media/picker.tsx';
import { Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { useBusiness } from '../business/use-business.ts';
import { SettingsPage } from '../frame.tsx';
import { CartReminder } from './cart-reminder.tsx';
import { LANGUAGES } from './kinds.ts';
import { Texts } from './texts.tsx';

type Logo = { id?: string; url: string };
type Values = {
  fromName: string;
  replyTo: string;
  locale: string;
  footer: string;
  logo: Logo | null;
  color: string;
  isReminding: boolean;
  reminderHours: number | null;
  /** Set through the API. */
  reminderUrl: string | undefined;
};

const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

export default function Page() {
  const record = useBusiness<Values>({
    name: 'email',
    read: ({ configs: { email = {}, brand = {}, cartReminder } }) => ({
      fromName: email.fromName ?? '',
      replyTo: email.replyTo ?? '',
      locale: email.locale ?? '',
      footer: email.footer ?? '',
      logo: brand.logo ?? null,
      color: brand.color ?? '',
      isReminding: cartReminder?.enabled ?? false,
      reminderHours: cartReminder?.delayHours ?? 24,
      reminderUrl: cartReminder?.url,
    }),
    write: ({ fromName, replyTo, locale, footer, logo, color, isReminding, reminderHours, reminderUrl }) => ({
      configs: {
        email: {
          ...(fromName.trim() ? { fromName } : {}),
          ...(replyTo.trim() ? { replyTo: replyTo.trim() } : {}),
          ...(locale ? { locale } : {}),
          ...(footer.trim() ? { footer } : {}),
        },
        brand: { ...(logo ? { logo } : {}), ...(color.trim() ? { color: color.trim() } : {}) },
        cartReminder: {
          enabled: isReminding,
          ...(reminderUrl ? { url: reminderUrl } : {}),
          ...(reminderHours === null ? {} : { delayHours: reminderHours }),
        },
      },
    }),
  });
  const names = {
    fromName: t('settings.fromName'),
    replyTo: t('settings.replyTo'),
    locale: t('mails.language'),
    footer: t('mails.footer'),
    logo: t('mails.logo'),
    color: t('mails.color'),
    isReminding: t('mails.cartReminderOn'),
    reminderHours: t('mails.cartReminderHours'),
    reminderUrl: t('mails.cartReminder'),
  };
  return (
    <SettingsPage path="email">
      {() => (
        <>
          <RecordNotices record={record} names={names} />
          {!record.values && !record.error && <SkeletonRows count={4} />}
          {record.values && (
            <>
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
                <SelectField
                  label={names.locale}
                  hint={t('mails.languageHint')}
                  options={languageOptions(record.values.locale)}
                  {...record.bind('locale', 'configs.email.locale')}
                />
                <TextField
                  label={names.footer}
                  multiline
                  rows={3}
                  maxLength={1000}
                  hint={t('mails.footerHint')}
                  {...record.bind('footer', 'configs.email.footer')}
                />
              </Section>
              <Section title={t('mails.brand')}>
                <p class="quiet">{t('mails.brandText')}</p>
                <MediaField
                  label={names.logo}
                  hint={t('mails.logoHint')}
                  type="IMAGE"
                  value={record.values.logo ? [toMedia(record.values.logo, names.logo)] : []}
                  onInput={([chosen]) => record.set('logo', chosen ? toLogo(chosen) : null)}
                  problem={record.problem('configs.brand.logo')}
                />
                <ColorField
                  label={names.color}
                  hint={t('mails.colorHint')}
                  {...record.bind('color', 'configs.brand.color')}
                />
              </Section>
              <CartReminder
                isEnabled={{ label: names.isReminding, ...record.bind('isReminding', 'configs.cartReminder.enabled') }}
                hours={{
                  label: names.reminderHours,
                  ...record.bind('reminderHours', 'configs.cartReminder.delayHours'),
                }}
              />
              <BrandPreview {...record.values} />
              <SaveBar record={record} />
            </>
          )}
          <Texts />
        </>
      )}
    </SettingsPage>
  );
}

/** A language set through the API may have no translations. */
const languageOptions = (current: string): [string, string][] => [
  ['', t('mails.en')],
  ...LANGUAGES.filter((each) => each !== 'en').map((each): [string, string] => [each, t(`mails.${each}`)]),
  ...(current === '' || LANGUAGES.some((each) => each !== 'en' && each === current)
    ? []
    : [[current, current] as [string, string]]),
];

const toMedia = ({ url }: Logo, title: string): Media => ({ id: url, title, url, mimeType: 'image/png' });
const toLogo = ({ id, url, resolutions }: Media): Logo => ({ id, url: resolutions?.small?.url ?? url });

function BrandPreview({ logo, color }: Values) {
  const brand = { logo, color: isColor(color.trim()) ? color.trim() : null };
  return (
    <MailPreview
      render={(signal) => souk.businesses.previewMailTemplate('CONFIRMED', { brand }, { signal })}
      values={JSON.stringify(brand)}
    />
  );
}
