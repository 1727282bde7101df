import type { PromoCode } from '@souk/client';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import { type FormRecord, useRecord } from '../../parts/editing/use-record.ts';
import { SelectField, TextField } from '../../parts/form/form.tsx';
import { DateField, MoneyField, NumberField } from '../../parts/form/number-fields.tsx';
import { forget, useLoad } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { RecordField } from '../../parts/records/picker.tsx';
import { statusText } from '../../parts/show.tsx';
import { deleteLater } from '../../parts/toast.tsx';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Discounts } from './discounts.tsx';
import { conditionsOf, currencyOf, EMPTY, type PromoStatus, toForm, toInput, type Values } from './values.ts';

const STATUSES = ['DRAFT', 'ACTIVE', 'ARCHIVED'] as const;

const keyOf = (id: string) => `promo-code ${id}`;

export default function Editor({ id }: { id?: string }) {
  const version = (promo: PromoCode) => ({ values: toForm(promo), etag: promo.etag, id: promo.id });
  const record = useRecord<Values>({
    key: id ? keyOf(id) : 'promo-code new',
    ...(id
      ? { load: async (signal: AbortSignal) => version(await souk.promoCodes.get(id, { signal })) }
      : { initial: EMPTY }),
    save: async (changes, { ifMatch, values }) => {
      const input = toInput(values);
      if (!id) {
        const created = await souk.promoCodes.create({ ...input, status: values.status as PromoStatus });
        return { ...version(created), key: keyOf(created.id) };
      }
      const statuses = changes.status === undefined ? {} : { statuses: [{ status: changes.status as PromoStatus }] };
      return version(await souk.promoCodes.update(id, { ...input, ...statuses }, ifMatch ? { ifMatch } : {}));
    },
    saved: (saved) => {
      forget('list promo-codes');
      if (!id) navigate(`/promo-codes/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
  const { values } = record;
  const remove = () => {
    navigate('/promo-codes');
    deleteLater({
      name: values!.code,
      hides: id!,
      reloads: 'list promo-codes',
      run: () => souk.promoCodes.delete(id!),
    });
  };
  return (
    <PageFrame
      title={id ? (record.base?.code ?? t('promoCodes.title')) : t('promoCodes.new')}
      back="/promo-codes"
      actions={
        id &&
        values && (
          <button type="button" class="quiet" onClick={remove}>
            {t('parts.delete')}
          </button>
        )
      }
    >
      <RecordNotices record={record} names={names()} />
      {values ? <Fields record={record} id={id} /> : !record.error && <SkeletonRows count={4} />}
      {values && <SaveBar record={record} />}
    </PageFrame>
  );
}

const names = () => ({
  code: t('promoCodes.code'),
  status: t('promoCodes.status'),
  discounts: t('promoCodes.discounts'),
  minAmount: t('promoCodes.minAmount'),
  start: t('promoCodes.start'),
  end: t('promoCodes.end'),
  maxUses: t('promoCodes.maxUses'),
  maxUsesPerUser: t('promoCodes.maxUsesPerUser'),
  products: t('promoCodes.products'),
});

/** Avoids characters that look alike. */
function suggestCode(): string {
  const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (each) => letters[each % letters.length]).join('');
}

function Fields({ record, id }: { record: FormRecord<Values>; id: string | undefined }) {
  const values = record.values!;
  const conditions = conditionsOf(values);
  const problemOf = (name: keyof Values) => {
    const at = conditions.findIndex(({ field }) => field === name);
    if (at < 0) return undefined;
    const base = `conditions[${at}].value`;
    return record.problem(base) ?? record.problem(`${base}.${name}`);
  };
  const bind = <K extends keyof Values>(name: K) => ({ ...record.bind(name), problem: problemOf(name) });
  return (
    <div class="columns">
      <div>
        <Section title={t('promoCodes.theCode')}>
          <TextField label={t('promoCodes.code')} hint={t('promoCodes.codeHint')} required {...record.bind('code')} />
          {!id && (
            <button type="button" class="link" onClick={() => record.set('code', suggestCode())}>
              {t('promoCodes.suggest')}
            </button>
          )}
        </Section>
        <Discounts {...record.bind('discounts')} problemOf={record.problem} />
        <Section title={t('promoCodes.conditions')}>
          <div class="fields">
            <MoneyField
              label={t('promoCodes.minAmount')}
              hint={t('promoCodes.minAmountHint')}
              currency={currencyOf(undefined)}
              {...bind('minAmount')}
            />
            <NumberField label={t('promoCodes.maxUses')} hint={t('promoCodes.noLimit')} {...bind('maxUses')} />
            <NumberField
              label={t('promoCodes.maxUsesPerUser')}
              hint={t('promoCodes.noLimit')}
              {...bind('maxUsesPerUser')}
            />
          </div>
          <div class="fields">
            <DateField label={t('promoCodes.start')} withTime {...bind('start')} />
            <DateField label={t('promoCodes.end')} withTime {...bind('end')} />
          </div>
          <RecordField
            label={t('promoCodes.products')}
            hint={t('promoCodes.productsHint')}
            target="PRODUCT"
            many
            {...bind('products')}
          />
        </Section>
      </div>
      <Section title={t('promoCodes.visibility')}>
        <SelectField
          label={t('promoCodes.status')}
          options={STATUSES.map((each) => [each, statusText(each)])}
          {...record.bind('status')}
        />
        {id && <Uses id={id} />}
      </Section>
    </div>
  );
}

function Uses({ id }: { id: string }) {
  const promo = useLoad(`promo-code-uses ${id}`, (signal) => souk.promoCodes.get(id, { signal }));
  return <p class="quiet">{promo.data && t('promoCodes.used', { count: promo.data.uses })}</p>;
}
