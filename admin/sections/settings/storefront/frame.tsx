/** A tab of the storefront settings. Each is a form with its own save; together they are one section of the business. */
import type { ComponentChildren } from 'preact';
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { TextField } from '../../../parts/form/form.tsx';
import { LocalizedField } from '../../../parts/form/localized.tsx';
import { Tabs } from '../../../parts/tabs.tsx';
import { business } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from '../business/part-form.tsx';
import { useBusiness } from '../business/use-business.ts';
import { readValues, type Values, writeValues } from './values.ts';

export type FormProps = { record: FormRecord<Values>; values: Values };

const TABS = [
  ['', 'storefront.general'],
  ['design', 'storefront.design'],
  ['navigation', 'storefront.navigation'],
  ['domains', 'storefront.hosts'],
  ['legal', 'storefront.legal'],
] as const;

type Props = { tab: (typeof TABS)[number][0]; children: (props: FormProps) => ComponentChildren };

export function StorefrontForm({ tab, children }: Props) {
  const record = useBusiness<Values>({
    name: `storefront ${tab}`,
    read: readValues,
    write: (values) => ({ configs: { storefront: writeValues(values) } }),
  });
  return (
    <PartForm path="storefront" record={record} actions={<OpenLink />} tabs={<StorefrontTabs tab={tab} />}>
      {(values) => children({ record, values })}
    </PartForm>
  );
}

const StorefrontTabs = ({ tab }: Pick<Props, 'tab'>) => (
  <Tabs
    label={t('storefront.title')}
    current={tab}
    tabs={TABS.map(([name, text]) => [name, name ? `/settings/storefront/${name}` : '/settings/storefront', t(text)])}
  />
);

/** A closed storefront has no page to show. */
function OpenLink() {
  const { slug, configs } = business.value!;
  if (!configs.storefront?.enabled) return null;
  return (
    <a class="button quiet" href={`/s/${slug}`} target="_blank" rel="noreferrer">
      {t('storefront.open')}
    </a>
  );
}

export const localeOf = ({ locales }: Values) => locales[0] ?? 'en';

type TextName = 'title' | 'description' | 'announcement' | 'footerText';
type LocalizedTextProps = FormProps & { name: TextName; label: string; isLong?: boolean };

export const LocalizedText = ({ record, values, name, label, isLong = false }: LocalizedTextProps) => (
  <LocalizedField
    label={label}
    locale={localeOf(values)}
    value={values[name]}
    onInput={(text) => record.set(name, text)}
    field={({ lang: _, ...field }) => <TextField {...field} multiline={isLong} rows={2} />}
  />
);
