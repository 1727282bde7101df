import { ColorField } from '../../../parts/form/color-field.tsx';
import { optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { MediaField } from '../../../parts/media/picker.tsx';
import { Section } from '../../../parts/page.tsx';
import { t } from '../../../text/index.ts';
import { type FormProps, LocalizedText, StorefrontForm } from './frame.tsx';
import { StorefrontPreview } from './preview.tsx';
import { FONTS, fromMedia, MODES, toMedia, writeValues } from './values.ts';

const Page = () => (
  <StorefrontForm tab="design">
    {({ record, values }) => (
      <div class="with-theme-preview">
        <Design record={record} values={values} />
        <StorefrontPreview settings={writeValues(values)} />
      </div>
    )}
  </StorefrontForm>
);

export default Page;

function Design({ record, values }: FormProps) {
  const colors = 'configs.storefront.theme.colors';
  return (
    <Section title={t('storefront.design')}>
      <MediaField
        label={optional(t('storefront.logo'))}
        hint={t('storefront.logoHint')}
        type="IMAGE"
        value={toMedia(values.logo, t('storefront.logo'))}
        onInput={([chosen]) => record.set('logo', chosen ? fromMedia(chosen, 'small') : null)}
        problem={record.problem('configs.storefront.theme.logo')}
      />
      <div class="fields">
        <ColorField label={t('storefront.accent')} initial="#a4401f" {...record.bind('accent', `${colors}.accent`)} />
        <ColorField
          label={t('storefront.background')}
          initial="#f7f3ec"
          {...record.bind('background', `${colors}.background`)}
        />
        <ColorField label={t('storefront.text')} initial="#221c17" {...record.bind('text', `${colors}.text`)} />
      </div>
      <div class="fields">
        <SelectField
          label={t('storefront.fonts')}
          options={FONTS.map((each) => [each, t(`storefront.fonts_${each}`)] as const)}
          {...record.bind('fonts')}
        />
        <SelectField
          label={t('storefront.mode')}
          options={MODES.map((each) => [each, t(`storefront.mode_${each}`)] as const)}
          {...record.bind('mode')}
        />
      </div>
      <LocalizedText
        record={record}
        values={values}
        name="announcement"
        label={optional(t('storefront.announcement'))}
      />
      <TextField
        label={optional(t('storefront.announcementUrl'))}
        {...record.bind('announcementUrl', 'configs.storefront.announcement.url')}
      />
    </Section>
  );
}
