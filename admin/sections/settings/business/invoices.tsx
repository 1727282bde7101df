/** Numbers, format and seller of invoices and credit notes. */
import type { Business } from '@souk/client';
import { Download } from '../../../parts/download.tsx';
import { optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { Section } from '../../../parts/page.tsx';
import { href } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { PartForm } from './part-form.tsx';
import { useBusiness } from './use-business.ts';

type Configs = Business['configs'];
type Invoicing = NonNullable<Configs['invoicing']>;
type Seller = NonNullable<Configs['seller']>;

const SELLER = ['vatId', 'registration', 'email', 'phone'] as const;
const BANK = ['holder', 'iban', 'bic'] as const;
type SellerText = (typeof SELLER)[number] | (typeof BANK)[number];

type Values = Record<SellerText, string> & {
  series: string;
  nextNumber: number | null;
  creditSeries: string;
  issueAt: NonNullable<Invoicing['issueAt']>;
  format: NonNullable<Invoicing['format']>;
  paperSize: NonNullable<Invoicing['paperSize']> | '';
  legalText: string;
};

function read({ configs: { invoicing = {}, seller = {} } }: Business): Values {
  const { bank } = seller;
  return {
    series: invoicing.series ?? 'INV-',
    nextNumber: invoicing.nextNumber ?? null,
    creditSeries: invoicing.creditSeries ?? 'CN-',
    issueAt: invoicing.issueAt ?? 'PAYMENT',
    format: invoicing.format ?? 'PDF',
    paperSize: invoicing.paperSize ?? '',
    legalText: invoicing.legalText ?? '',
    vatId: seller.vatId ?? '',
    registration: seller.registration ?? '',
    email: seller.email ?? '',
    phone: seller.phone ?? '',
    holder: bank?.holder ?? '',
    iban: bank?.iban ?? '',
    bic: bank?.bic ?? '',
  };
}

const filled = (values: Values, names: readonly SellerText[]) =>
  Object.fromEntries(names.map((name) => [name, values[name].trim()]).filter(([, text]) => text));

/** The next number is sent only if it was changed, because it grows with each invoice. */
function write(values: Values, changes: Partial<Values>) {
  const { series, creditSeries, issueAt, format, paperSize, legalText, nextNumber } = values;
  const isNumbered = changes.nextNumber !== undefined && nextNumber !== null;
  const invoicing: Invoicing = {
    series,
    creditSeries,
    issueAt,
    format,
    ...(isNumbered ? { nextNumber } : {}),
    ...(paperSize ? { paperSize } : {}),
    ...(legalText.trim() ? { legalText } : {}),
  };
  const bank = filled(values, BANK) as Seller['bank'];
  const hasBank = Object.keys(bank ?? {}).length > 0;
  const seller: Seller = { ...filled(values, SELLER), ...(hasBank ? { bank } : {}) } as Seller;
  return { configs: { invoicing, seller } };
}

export default function Page() {
  const record = useBusiness<Values>({ name: 'invoices', read, write });
  const names = {
    series: t('invoices.series'),
    nextNumber: t('invoices.nextNumber'),
    creditSeries: t('invoices.creditSeries'),
    issueAt: t('invoices.issueAt'),
    format: t('invoices.format'),
    paperSize: t('invoices.paperSize'),
    legalText: t('invoices.legalText'),
    vatId: t('invoices.vatId'),
    registration: t('invoices.registration'),
    email: t('invoices.email'),
    phone: t('invoices.phone'),
    holder: t('invoices.holder'),
    iban: t('invoices.iban'),
    bic: t('invoices.bic'),
  };
  const seller = (field: SellerText) => record.bind(field, `configs.seller.${field}`);
  const bank = (field: SellerText) => record.bind(field, `configs.seller.bank.${field}`);
  const preview = <Download label={t('invoices.preview')} load={() => souk.businesses.previewInvoice()} />;
  return (
    <PartForm path="invoices" record={record} names={names} actions={preview}>
      {() => (
        <>
          <Section title={t('invoices.numbers')}>
            <p class="quiet">{t('invoices.numbersText')}</p>
            <div class="fields">
              <TextField
                label={names.series}
                hint={t('invoices.seriesHint')}
                maxLength={20}
                {...record.bind('series', 'configs.invoicing.series')}
              />
              <NumberField
                label={names.nextNumber}
                hint={t('invoices.nextNumberHint')}
                {...record.bind('nextNumber', 'configs.invoicing.nextNumber')}
              />
              <TextField
                label={names.creditSeries}
                maxLength={20}
                {...record.bind('creditSeries', 'configs.invoicing.creditSeries')}
              />
              <SelectField
                label={names.issueAt}
                options={[
                  ['PAYMENT', t('invoices.PAYMENT')],
                  ['SHIPMENT', t('invoices.SHIPMENT')],
                ]}
                {...record.bind('issueAt', 'configs.invoicing.issueAt')}
              />
            </div>
          </Section>
          <Section title={t('invoices.layout')}>
            <p class="quiet">{t('invoices.previewHint')}</p>
            <div class="fields">
              <SelectField
                label={names.format}
                hint={t('invoices.formatHint')}
                options={[
                  ['PDF', t('invoices.PDF')],
                  ['FACTUR_X', t('invoices.FACTUR_X')],
                  ['XRECHNUNG', t('invoices.XRECHNUNG')],
                  ['XRECHNUNG_UBL', t('invoices.XRECHNUNG_UBL')],
                ]}
                {...record.bind('format', 'configs.invoicing.format')}
              />
              <SelectField
                label={names.paperSize}
                options={[
                  ['', t('invoices.paperAuto')],
                  ['A4', t('invoices.A4')],
                  ['LETTER', t('invoices.LETTER')],
                ]}
                {...record.bind('paperSize', 'configs.invoicing.paperSize')}
              />
            </div>
            <p class="quiet">
              {t('invoices.logoText')} <a href={href('/settings/email')}>{t('invoices.logoLink')}</a>
            </p>
            <TextField
              multiline
              rows={4}
              label={optional(names.legalText)}
              hint={t('invoices.legalTextHint')}
              maxLength={2000}
              {...record.bind('legalText', 'configs.invoicing.legalText')}
            />
          </Section>
          <Section title={t('invoices.seller')}>
            <p class="quiet">
              {t('invoices.sellerText')} <a href={href('/settings')}>{t('invoices.sellerLink')}</a>
            </p>
            <div class="fields">
              <TextField label={optional(names.vatId)} maxLength={50} {...seller('vatId')} />
              <TextField
                label={optional(names.registration)}
                hint={t('invoices.registrationHint')}
                maxLength={200}
                {...seller('registration')}
              />
              <TextField label={optional(names.email)} type="email" {...seller('email')} />
              <TextField label={optional(names.phone)} type="tel" maxLength={40} {...seller('phone')} />
            </div>
          </Section>
          <Section title={t('invoices.bank')}>
            <div class="fields">
              <TextField label={optional(names.iban)} maxLength={42} {...bank('iban')} />
              <TextField label={optional(names.bic)} maxLength={11} {...bank('bic')} />
              <TextField label={optional(names.holder)} maxLength={200} {...bank('holder')} />
            </div>
          </Section>
        </>
      )}
    </PartForm>
  );
}
