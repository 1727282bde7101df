import { RichText } from '../../parts/blocks/rich-text.tsx';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { ColorField } from '../../parts/form/color-field.tsx';
import { Section } from '../../parts/page.tsx';
import { t } from '../../text/index.ts';

type Values = { color: string; header: string; footer: string };

/** The look of every issue. */
export const DesignFields = <V extends Values>({ record }: { record: FormRecord<V> }) => {
  const fields = record as unknown as FormRecord<Values>;
  return (
    <Section title={t('design.title')}>
      <p class="quiet">{t('design.text')}</p>
      <ColorField
        label={t('design.color')}
        hint={t('design.colorHint')}
        {...fields.bind('color', 'settings.design.color')}
      />
      <RichText label={t('design.header')} lang={undefined} {...fields.bind('header', 'settings.design.header')} />
      <RichText label={t('design.footer')} lang={undefined} {...fields.bind('footer', 'settings.design.footer')} />
    </Section>
  );
};
