/** The variants, one row each: name, SKU, the prices of all markets side by side, stock. */
import type { Media, Product } from '@souk/client';
import { useRef, useState } from 'preact/hooks';
import type { FormRecord } from '../../parts/editing/use-record.ts';
import { CheckField, optional, SelectField, TextField } from '../../parts/form/form.tsx';
import { IsoField } from '../../parts/form/iso-fields.tsx';
import { MoneyField, NumberField } from '../../parts/form/number-fields.tsx';
import { MediaField } from '../../parts/media/picker.tsx';
import { Section } from '../../parts/page.tsx';
import { money, number } from '../../parts/show.tsx';
import { focusSoon } from '../../shell/focus.ts';
import { href } from '../../shell/router.ts';
import { t } from '../../text/index.ts';
import {
  type MarketColumn,
  marketColumns,
  newVariant,
  type ProductForm,
  UNITS,
  type Unit,
  type VariantForm,
} from './form.ts';
import { Options } from './options.tsx';
import { StockDialog } from './stock.tsx';

type Props = {
  record: FormRecord<ProductForm>;
  product: Product | null;
  refreshStock?: (() => Promise<void>) | undefined;
};

export function Variants({ record, product, refreshStock }: Props) {
  const { value: variants, onInput } = record.bind('variants');
  const [adjusted, setAdjusted] = useState<VariantForm | null>(null);
  const columns = marketColumns(product ? [product] : []);
  const set = (i: number, part: Partial<VariantForm>) =>
    onInput(variants.map((each, j) => (i === j ? { ...each, ...part } : each)));
  const quantities = new Map(product?.variants.map(({ id, inventory }) => [id, inventory.quantity]));
  const rows = useRef<HTMLDivElement>(null);
  const add = () => {
    let number = variants.length + 1;
    while (variants.some(({ id }) => id === `variant-${number}`)) number++;
    const named = variants.map((each) => ({ ...each, name: nameOf(each) }));
    onInput([...named, newVariant(`variant-${number}`, `${t('products.variant')} ${number}`, variants[0])]);
    focusSoon(() => rows.current?.children[variants.length]?.querySelector('input'));
  };
  return (
    <Section title={t('products.variants')}>
      <Options variants={variants} change={onInput} />
      {columns.length === 0 && (
        <div class="notice">
          <p>
            <a href={href('/settings/markets')}>{t('products.noMarkets')}</a>
          </p>
        </div>
      )}
      <div class="variant-head" style={marketWidths(columns)} aria-hidden="true">
        <span>{t('products.variantName')}</span>
        <span>{t('products.sku')}</span>
        {columns.map(({ id, name }) => (
          <span key={id}>{t('products.priceIn', { market: name })}</span>
        ))}
        <span>{t('products.quantity')}</span>
      </div>
      <div ref={rows} class="variants">
        {variants.map((variant, i) => (
          <VariantRow
            key={variant.id}
            variant={variant}
            columns={columns}
            quantity={quantities.get(variant.id)}
            set={(part) => set(i, part)}
            problem={(field) => record.problem(`variants[${i}].${field}`)}
            adjust={() => setAdjusted(variant)}
            remove={variants.length > 1 ? () => onInput(variants.filter((_, j) => j !== i)) : null}
          />
        ))}
      </div>
      <button type="button" class="quiet" onClick={add}>
        {t('products.addVariant')}
      </button>
      {adjusted && product && (
        <StockDialog
          product={product}
          variantId={adjusted.id}
          name={nameOf(adjusted)}
          close={() => setAdjusted(null)}
          done={async () => refreshStock?.()}
        />
      )}
    </Section>
  );
}

/** A product with one variant needs no name for it: customers would see it next to the name of the product. */
const nameOf = ({ name }: VariantForm) => name || t('products.defaultVariant');

/** Without markets there is no column, and `repeat(0)` is invalid. */
const marketWidths = ({ length }: MarketColumn[]) =>
  length === 0 ? {} : { '--markets': `repeat(${length}, minmax(0, 1fr))` };

const lowestHint = (lowest: number | undefined, currency: string) =>
  lowest === undefined ? {} : { hint: t('products.lowest30', { price: money(lowest, currency) }) };

type RowProps = {
  variant: VariantForm;
  columns: MarketColumn[];
  quantity: number | undefined;
  set: (part: Partial<VariantForm>) => void;
  problem: (field: string) => string | undefined;
  adjust: () => void;
  remove: (() => void) | null;
};

function VariantRow({ variant, columns, quantity, set, problem, adjust, remove }: RowProps) {
  const { prices, tracked, isNew } = variant;
  const name = nameOf(variant);
  const setPrice = (market: string, part: object) =>
    set({ prices: { ...prices, [market]: { price: null, compareAt: null, ...prices[market], ...part } } });
  const priceIndex = Object.entries(prices)
    .filter(([, { price }]) => price !== null)
    .map(([market]) => market);
  return (
    <fieldset class="variant">
      <legend class="visually-hidden">{name}</legend>
      <div class="variant-fields" style={marketWidths(columns)}>
        <TextField
          label={t('products.variantName')}
          placeholder={t('products.defaultVariant')}
          value={variant.name}
          onInput={(value) => set({ name: value })}
          problem={problem('name')}
        />
        <TextField
          label={t('products.sku')}
          value={variant.sku}
          onInput={(value) => set({ sku: value })}
          problem={problem('sku')}
        />
        {columns.map(({ id, name: market, currency }) => (
          <MoneyField
            key={id}
            label={t('products.priceIn', { market })}
            currency={currency}
            value={prices[id]?.price ?? null}
            onInput={(price) => setPrice(id, { price })}
            problem={problem(`pricing.markets[${priceIndex.indexOf(id)}].price`)}
          />
        ))}
        {tracked && isNew && (
          <NumberField
            label={t('products.quantity')}
            value={variant.quantity}
            onInput={(value) => set({ quantity: value })}
            problem={problem('inventory.quantity')}
          />
        )}
        {tracked && !isNew && (
          <div class="stock-now">
            <span>{t('products.current', { count: quantity ?? '…' })}</span>
            <button type="button" class="link" aria-label={t('products.adjustOf', { name })} onClick={adjust}>
              {t('products.adjust')}
            </button>
          </div>
        )}
        {!tracked && <span class="quiet small">{t('products.untracked')}</span>}
      </div>
      <div class="variant-more">
        <details>
          <summary>{t('products.compareAt')}</summary>
          <div class="variant-fields">
            {columns.map(({ id, name: market, currency }) => (
              <MoneyField
                key={id}
                label={t('products.compareIn', { market })}
                {...lowestHint(prices[id]?.lowest, currency)}
                currency={currency}
                value={prices[id]?.compareAt ?? null}
                onInput={(compareAt) => setPrice(id, { compareAt })}
                problem={problem(`pricing.markets[${priceIndex.indexOf(id)}].compareAtPrice`)}
              />
            ))}
          </div>
        </details>
        <VariantContent variant={variant} set={set} problem={problem} />
        <VariantShipping variant={variant} set={set} problem={problem} />
        <VariantImages variant={variant} onInput={(gallery) => set({ gallery })} problem={problem('gallery')} />
        <div class="variant-stock">
          <CheckField label={t('products.tracked')} value={tracked} onInput={(value) => set({ tracked: value })} />
          {tracked && (
            <NumberField
              label={t('products.threshold')}
              value={variant.threshold}
              onInput={(value) => set({ threshold: value })}
              problem={problem('inventory.lowStockThreshold')}
            />
          )}
        </div>
        {remove && (
          <button type="button" class="link" aria-label={t('products.removeVariant', { name })} onClick={remove}>
            {t('parts.remove')}
          </button>
        )}
      </div>
    </fieldset>
  );
}

/** The contents of the variant, for its price per kilogram or liter. */
function VariantContent({ variant: { content }, set, problem }: Pick<RowProps, 'variant' | 'set' | 'problem'>) {
  const [isOpen, setOpen] = useState(false);
  const wrong = problem('unitPricing.amount');
  const unitOf = (unit: Unit) => t(`products.unit_${unit}`);
  const text =
    content.amount === null
      ? t('products.unitPrice')
      : t('products.unitPriceOf', { amount: number(content.amount), unit: unitOf(content.unit) });
  return (
    <details open={isOpen || wrong !== undefined} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text}</summary>
      {(isOpen || wrong !== undefined) && (
        <div class="variant-fields">
          <NumberField
            label={optional(t('products.content'))}
            hint={t('products.contentHint')}
            value={content.amount}
            onInput={(amount) => set({ content: { ...content, amount } })}
            problem={wrong}
          />
          <SelectField
            label={t('products.contentUnit')}
            options={UNITS.map((unit) => [unit, unitOf(unit)] as const)}
            value={content.unit}
            onInput={(unit) => set({ content: { ...content, unit } })}
          />
        </div>
      )}
    </details>
  );
}

/** Rendered when opened, like the images. */
function VariantShipping({ variant, set, problem }: Pick<RowProps, 'variant' | 'set' | 'problem'>) {
  const { requiresShipping, weight, barcode, hsCode, originCountry } = variant;
  const [isOpen, setOpen] = useState(false);
  const names = ['weight', 'barcode', 'hsCode', 'originCountry'] as const;
  const hasProblem = names.some((name) => problem(name) !== undefined);
  const text = requiresShipping
    ? weight === null
      ? t('products.shipping')
      : t('products.shippingOf', { weight: grams(weight) })
    : t('products.digital');
  return (
    <details open={isOpen || hasProblem} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text}</summary>
      {(isOpen || hasProblem) && (
        <>
          <CheckField
            label={t('products.requiresShipping')}
            value={requiresShipping}
            onInput={(value) => set({ requiresShipping: value })}
          />
          <div class="variant-fields">
            <NumberField
              label={optional(t('products.weight'))}
              suffix="g"
              value={weight}
              onInput={(value) => set({ weight: value === null ? null : Math.max(0, Math.round(value)) })}
              problem={problem('weight')}
            />
            <TextField
              label={optional(t('products.barcode'))}
              value={barcode}
              onInput={(value) => set({ barcode: value })}
              problem={problem('barcode')}
            />
            <TextField
              label={optional(t('products.hsCode'))}
              value={hsCode}
              onInput={(value) => set({ hsCode: value })}
              problem={problem('hsCode')}
            />
            <IsoField
              type="region"
              isOptional
              label={optional(t('products.originCountry'))}
              value={originCountry}
              onInput={(value) => set({ originCountry: value })}
              problem={problem('originCountry')}
            />
          </div>
        </>
      )}
    </details>
  );
}

const grams = (weight: number) => (weight < 1000 ? `${number(weight)} g` : `${number(weight / 1000)} kg`);

type ImagesProps = { variant: VariantForm; onInput: (gallery: Media[]) => void; problem: string | undefined };

/** Rendered when opened, because a product can have hundreds of variants and few have their own images. */
function VariantImages({ variant, onInput, problem }: ImagesProps) {
  const { gallery } = variant;
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('products.variantImages', { number: gallery.length })}</summary>
      {isOpen && (
        <MediaField
          label={t('products.imagesOf', { name: nameOf(variant) })}
          hideLabel
          many
          type="IMAGE"
          value={gallery}
          onInput={onInput}
          problem={problem}
        />
      )}
    </details>
  );
}
