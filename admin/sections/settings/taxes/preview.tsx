/** The tax on a sale with these settings, saved or not. The service computes it. */
import type { TaxPreview } from '@souk/client';
import { useState } from 'preact/hooks';
import { useAddressFormat } from '../../../parts/form/address-format.ts';
import { optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { isoName } from '../../../parts/form/iso.ts';
import { IsoField } from '../../../parts/form/iso-fields.tsx';
import { MoneyField } from '../../../parts/form/number-fields.tsx';
import { Section } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { percent, tidyMoney } from '../../../parts/show.tsx';
import { useRequested } from '../../../parts/use-requested.ts';
import { href } from '../../../shell/router.ts';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { classesOf, STANDARD, type TaxValues, taxConfigs } from './values.ts';

type Sale = { market: string; amount: number; shipping: number; classId: string; country: string; zip: string };

export function Preview({ values, isChanged }: { values: TaxValues; isChanged: boolean }) {
  const markets = business.value?.configs.markets ?? [];
  const classes = classesOf(values.classes, t('taxes.standard'));
  const [sale, setSale] = useState<Sale>({
    market: markets[0]?.id ?? '',
    amount: 5000,
    shipping: 490,
    classId: STANDARD,
    country: '',
    zip: '',
  });
  const set = (part: Partial<Sale>) => setSale({ ...sale, ...part });
  const { currency } = markets.find(({ id }) => id === sale.market) ?? { currency: 'eur' };
  const country = sale.country || values.origin.country;
  const classId = classes.some(({ id }) => id === sale.classId) ? sale.classId : STANDARD;
  const { result: preview, error } = usePreview({ ...sale, country, classId }, values, isChanged);
  const format = useAddressFormat(country);
  if (markets.length === 0)
    return (
      <Section title={t('taxes.preview')}>
        <p>
          <a href={href('/settings/markets')}>{t('taxes.previewMarkets')}</a>
        </p>
      </Section>
    );
  return (
    <Section title={t('taxes.preview')} class="tax-preview">
      <p class="quiet">{t('taxes.previewText')}</p>
      <div class="fields">
        {markets.length > 1 && (
          <SelectField
            label={t('orders.market')}
            value={sale.market}
            onInput={(market) => set({ market })}
            options={markets.map(({ id, name }) => [id, name || id] as const)}
          />
        )}
        <SelectField
          label={t('taxes.class')}
          value={classId}
          onInput={(next) => set({ classId: next })}
          options={classes.map(({ id, name }) => [id, name] as const)}
        />
        <MoneyField
          label={t('taxes.previewPrice')}
          currency={currency}
          value={sale.amount}
          onInput={(amount) => set({ amount: amount ?? 0 })}
        />
        <MoneyField
          label={t('orders.shipping')}
          currency={currency}
          value={sale.shipping}
          onInput={(shipping) => set({ shipping: shipping ?? 0 })}
        />
        <IsoField
          type="region"
          label={t('taxes.previewTo')}
          value={country}
          onInput={(next) => set({ country: next, zip: '' })}
        />
        {format?.fields.some(({ name }) => name === 'zip') && (
          <TextField label={optional(t('parts.zip'))} value={sale.zip} onInput={(zip) => set({ zip })} />
        )}
      </div>
      <Problem error={error} fields />
      <div role="status" class="tax-preview-text">
        {preview && country && (
          <Sentences
            preview={preview}
            sale={{ ...sale, country }}
            className={classes.find(({ id }) => id === classId)!.name}
          />
        )}
      </div>
    </Section>
  );
}

type SentencesProps = { preview: TaxPreview; sale: Sale; className: string };

function Sentences({ preview, sale, className }: SentencesProps) {
  const { currency, taxIncluded, tax, shippingTax, taxLines } = preview;
  const place = [sale.zip, isoName('region', sale.country)].filter(Boolean).join(' ');
  const common = { class: className, amount: tidyMoney(sale.amount, currency), place };
  const [line] = taxLines;
  const isTaxed = tax - shippingTax > 0 && line !== undefined;
  const text = isTaxed
    ? t(taxIncluded ? 'taxes.previewIncluded' : 'taxes.previewAdded', {
        ...common,
        percent: percent(line.bps),
        tax: tidyMoney(tax - shippingTax, currency),
      })
    : t('taxes.previewNone', common);
  return (
    <>
      <p>
        <strong>{text}</strong>
      </p>
      {sale.shipping > 0 && (
        <p>
          {t('taxes.previewShipping', {
            amount: tidyMoney(sale.shipping, currency),
            tax: tidyMoney(shippingTax, currency),
          })}
        </p>
      )}
      {line?.country && line.country !== sale.country && (
        <p>{t('taxes.previewOrigin', { country: isoName('region', line.country) })}</p>
      )}
    </>
  );
}

/** Sends the settings only if they differ from the saved ones. Rates that can't be saved yet are left out. */
function usePreview({ market, amount, shipping, classId, country, zip }: Sale, values: TaxValues, isChanged: boolean) {
  const { tax, taxClasses, taxRates } = taxConfigs(values);
  const complete = {
    tax,
    taxClasses: taxClasses.filter(({ name }) => name.trim()),
    taxRates: taxRates.filter((rate) => rate.country && rate.name),
  };
  const input = {
    market,
    amount,
    shipping,
    taxClassId: classId,
    address: { country, zip },
    ...(isChanged ? complete : {}),
  };
  return useRequested(input, Boolean(market && country), (settings, signal) =>
    souk.payments.previewTax(settings, { signal }),
  );
}
