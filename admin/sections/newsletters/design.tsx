import { RichText } from '../../parts/blocks/rich-text.tsx';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { ColorField } from '../../parts/form/color-field.tsx';
import { useLoad } from '../../parts/load.ts';
import { MailPreview } from '../../parts/mail-preview.tsx';
import { Section } from '../../parts/page.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

type Values = { color: string; header: string; footer: string };

/** Empty values are left out. */
export const designOf = ({ color, header, footer }: Values) => ({
  ...(color ? { color } : {}),
  ...(header ? { header } : {}),
  ...(footer ? { footer } : {}),
});

/** The newest issue, rendered with the design in the form. */
export function DesignPreview({ id, values }: { id: string; values: Values }) {
  const { data } = useLoad(`newest issue ${id}`, (signal) =>
    souk.entries.list({ collectionId: id, limit: 1 }, { signal }).page(),
  );
  const entryId = data?.items[0]?.id;
  const isColor = values.color === '' || /^#[0-9a-f]{6}$/i.test(values.color);
  const design = designOf({ ...values, color: isColor ? values.color : '' });
  return (
    <MailPreview
      render={entryId ? (signal) => souk.newsletters.previewEntry(entryId, { design }, { signal }) : null}
      values={JSON.stringify([entryId, design])}
      empty={data ? t('design.noIssue') : undefined}
    />
  );
}

/** The design of all issues. */
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
