/** The controls for the values of a filter, with the business's own newsletters, plans, categories and tags. */
import { ChipsField } from '../../../parts/form/chips.tsx';
import { SelectField, TagsField, TextField } from '../../../parts/form/form.tsx';
import { isoName, isoOptions } from '../../../parts/form/iso.ts';
import { DateField, MoneyField, NumberField } from '../../../parts/form/number-fields.tsx';
import { useLoad } from '../../../parts/load.ts';
import { RecordField } from '../../../parts/records/picker.tsx';
import { findNames } from '../../../parts/records/sources.ts';
import { statusText } from '../../../parts/show.tsx';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { type Condition, currency, type FieldKind, type Filter, kindOf, type Names } from './filter.ts';

const STATUSES = ['PENDING', 'ACTIVE', 'PAST_DUE', 'UNSUBSCRIBED', 'BOUNCED'] as const;
const MAX_OPTIONS = 100;

type Option = readonly [value: string, text: string];
type Choices = { options: (kind: FieldKind) => readonly Option[]; tags: readonly string[]; fields: readonly string[] };

/** The options that values are picked from. */
export function useChoices(): Choices & { customerTags: readonly string[] } {
  const newsletters = useLoad('segment newsletters', (signal) =>
    souk.collections.list({ type: 'NEWSLETTER', limit: MAX_OPTIONS }, { signal }).take(MAX_OPTIONS),
  );
  const categories = useLoad('categories', (signal) =>
    souk.products.listCategories({ limit: MAX_OPTIONS }, { signal }).take(MAX_OPTIONS),
  );
  const inUse = useLoad('segment choices', async (signal) =>
    can('SUBSCRIBER_READ') ? souk.newsletters.listSegmentChoices({ signal }) : null,
  );
  const plans = new Map<string, string>();
  for (const { plans: own } of newsletters.data ?? []) for (const { id, name } of own) plans.set(id, name);
  return {
    options: (kind) => {
      if (kind === 'newsletter') return newsletters.data?.map(({ id, name }) => [id, name] as const) ?? [];
      if (kind === 'plan') return [...plans];
      if (kind === 'status') return STATUSES.map((each) => [each, statusText(each)]);
      if (kind === 'country') return isoOptions('region');
      const names = categories.data?.map(({ category }) => category).filter(Boolean) ?? [];
      return kind === 'category' ? names.map((each) => [each, each]) : [];
    },
    tags: inUse.data?.subscriberTags ?? [],
    fields: inUse.data?.subscriberFields ?? [],
    customerTags: inUse.data?.customerTags ?? [],
  };
}

function productsOf(filter: Filter): string[] {
  if ('not' in filter) return productsOf(filter.not);
  if ('all' in filter) return filter.all.flatMap(productsOf);
  if ('any' in filter) return filter.any.flatMap(productsOf);
  return filter.field === 'order.product' ? [filter.value ?? []].flat().map(String) : [];
}

/** Names for `describeFilter`. */
export function useNames(filters: readonly Filter[]): Names {
  const { options } = useChoices();
  const products = [...new Set(filters.flatMap(productsOf))];
  const found = useLoad(`names ${products.join(' ')}`, (signal) => findNames(products, signal));
  return (kind, value) => {
    if (kind === 'product') return found.data?.find(({ id }) => id === value)?.name ?? value;
    if (kind === 'country') return isoName('region', value);
    return options(kind).find(([each]) => each === value)?.[1] ?? value;
  };
}

type Props = { condition: Condition; onChange: (condition: Condition) => void; problem: string | undefined };

/** The value of a condition. Its label names the field, for screen readers. */
export function ValueField({ condition, onChange, problem }: Props) {
  const { field, op, value, days } = condition;
  const choices = useChoices();
  const kind = kindOf(field);
  const shared = { label: t('segments.value'), hideLabel: true, problem };
  const set = (next: Condition['value'] | null) => {
    const { value: _, ...rest } = condition;
    onChange(next === null || next === undefined ? rest : { ...rest, value: next });
  };
  const one = typeof value === 'string' ? value : '';
  const many = Array.isArray(value) ? value : [];
  const amount = typeof value === 'number' ? value : null;
  if (kind === 'date' && days !== undefined) {
    const setDays = (next: number | null) => onChange({ ...condition, days: next ?? 0 });
    return <NumberField {...shared} label={t('segments.days')} value={days || null} onInput={setDays} />;
  }
  if (kind === 'date') return <DateField {...shared} value={amount} onInput={set} />;
  if (kind === 'count') return <NumberField {...shared} value={amount} onInput={set} />;
  if (kind === 'amount') return <MoneyField {...shared} currency={currency()} value={amount} onInput={set} />;
  if (kind === 'product') {
    const isMany = op === 'in';
    const chosen = isMany ? many : one ? [one] : [];
    const choose = (ids: string[]) => set(isMany ? ids : (ids.at(-1) ?? null));
    return (
      <RecordField
        label={t('segments.value')}
        target="PRODUCT"
        many={isMany}
        value={chosen}
        onInput={choose}
        problem={problem}
      />
    );
  }
  if (kind === 'tag' || kind === 'customerTag') {
    if (op === 'in') return <TagsField {...shared} value={many} onInput={set} />;
    return (
      <TextField {...shared} list={kind === 'tag' ? choices.tags : choices.customerTags} value={one} onInput={set} />
    );
  }
  if (kind === 'text') return <TextField {...shared} value={one} onInput={set} />;
  const options = choices.options(kind);
  if (op === 'in') return <ChipsField {...shared} options={options} value={many} onInput={set} />;
  const isKnown = one === '' || options.some(([each]) => each === one);
  return (
    <SelectField
      {...shared}
      value={one}
      onInput={set}
      options={[
        ...(one === '' ? [['', t('segments.choose')] as const] : []),
        ...(isKnown ? [] : [[one, one] as const]),
        ...options,
      ]}
    />
  );
}
