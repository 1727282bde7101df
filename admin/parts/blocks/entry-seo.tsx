import { t } from '../../text/index.ts';
import type { FormRecord } from '../editing/use-record.ts';
import { optional, TextField } from '../form/form.tsx';
import { Section } from '../page.tsx';

type Values = { slug: string; seoTitle: string; seoDescription: string };

/** The URL of an entry on the storefront, and how search engines show it. */
export const EntrySeo = ({ record }: { record: Pick<FormRecord<Values>, 'bind'> }) => (
  <Section title={t('content.seo')}>
    <TextField label={optional(t('content.slug'))} hint={t('content.entrySlugHint')} {...record.bind('slug')} />
    <TextField label={optional(t('content.seoTitle'))} {...record.bind('seoTitle', 'seo.title')} />
    <TextField
      label={optional(t('content.seoDescription'))}
      multiline
      rows={3}
      {...record.bind('seoDescription', 'seo.description')}
    />
  </Section>
);
