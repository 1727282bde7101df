/** Taxes in three steps, with a preview: where the business is, classes and rates, tax on shipping. */
import type { FormRecord } from '../../../parts/editing/use-record.ts';
import { StateField } from '../../../parts/form/address.tsx';
import { useAddressFormat, useEuMembers } from '../../../parts/form/address-format.ts';
import { CheckField, optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { IsoField } from '../../../parts/form/iso-fields.tsx';
import { Section } from '../../../parts/page.tsx';
import { problemWithin } from '../../../parts/problem.tsx';
import { href } from '../../../shell/router.ts';
import { can } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from '../business/part-form.tsx';
import { useBusiness } from '../business/use-business.ts';
import { Preview } from './preview.tsx';
import { Rates } from './rates.tsx';
import { classesOf, readTaxes, type TaxValues, writeTaxes } from './values.ts';

export default function Page() {
  const record = useBusiness<TaxValues>({ name: 'taxes', read: readTaxes, write: writeTaxes });
  const names = {
    origin: t('taxes.originCountry'),
    oss: t('taxes.oss'),
    shipping: t('taxes.shippingTax'),
    vatCheck: t('taxes.vatCheck'),
    provider: t('taxes.provider'),
    classes: t('taxes.classes'),
    rows: t('taxes.rates'),
  };
  return (
    <PartForm
      path="taxes"
      record={record}
      names={names}
      actions={
        can('ORDER_READ') && (
          <a class="button quiet" href={href('/settings/taxes/report')}>
            {t('taxes.reportLink')}
          </a>
        )
      }
    >
      {(values) => (
        <>
          <p class="quiet">{t('taxes.text')}</p>
          <OriginStep record={record} values={values} />
          <Rates record={record} values={values} />
          <ShippingStep record={record} values={values} />
          <Preview values={values} isChanged={record.isChanged} />
        </>
      )}
    </PartForm>
  );
}

type StepProps = { record: FormRecord<TaxValues>; values: TaxValues };

function OriginStep({ record, values: { origin } }: StepProps) {
  const format = useAddressFormat(origin.country);
  const eu = useEuMembers();
  const set = (part: Partial<typeof origin>) => record.set('origin', { ...origin, ...part });
  const zip = format?.fields.find(({ name }) => name === 'zip');
  const state = format?.fields.find(({ name }) => name === 'state');
  return (
    <Section title={t('taxes.origin')}>
      <div class="fields">
        <IsoField
          type="region"
          isOptional
          label={t('taxes.originCountry')}
          value={origin.country}
          onInput={(country) => set({ country, state: '', zip: '' })}
          problem={problemWithin(record.error, 'configs.tax.origin')}
        />
        {state && format && format.states.length > 0 && (
          <StateField
            label={optional(state.label)}
            states={format.states}
            value={origin.state}
            onInput={(next) => set({ state: next })}
          />
        )}
        {zip && <TextField label={optional(zip.label)} value={origin.zip} onInput={(next) => set({ zip: next })} />}
      </div>
      {eu.includes(origin.country) && (
        <>
          <CheckField label={t('taxes.oss')} hint={t('taxes.ossHint')} {...record.bind('oss', 'configs.tax.oss')} />
          <CheckField label={t('taxes.vatCheck')} hint={t('taxes.vatCheckHint')} {...record.bind('vatCheck')} />
        </>
      )}
    </Section>
  );
}

function ShippingStep({ record, values: { classes } }: StepProps) {
  return (
    <Section title={t('taxes.shipping')}>
      <SelectField
        label={t('taxes.shippingTax')}
        {...record.bind('shipping', 'configs.tax.shipping')}
        options={[
          ['', t('taxes.shippingByMethod')],
          ['PROPORTIONAL', t('taxes.PROPORTIONAL')],
          ...classesOf(classes, t('taxes.standard')).map(
            ({ id, name }) => [id, t('taxes.shippingClass', { class: name })] as const,
          ),
        ]}
      />
    </Section>
  );
}
