/** The prices of a zone in one market: not offered, a flat rate, or rates by weight or order value. */
import type { Market, ShippingRate } from '@souk/client';
import { useRef } from 'preact/hooks';
import { SelectField } from '../../../parts/form/form.tsx';
import { MoneyField, NumberField } from '../../../parts/form/number-fields.tsx';
import { focusSoon } from '../../../shell/focus.ts';
import { t } from '../../../text/index.ts';
import { kindOf, type RateKind } from './summary.ts';

type Props = {
  market: Market;
  /** The business has no other market. */
  isOnly: boolean;
  /** The rates of the zone, for all markets. */
  rates: ShippingRate[];
  onInput: (rates: ShippingRate[]) => void;
  /** `field` starts with the index: `[0].amount`. */
  problem: (field: string) => string | undefined;
};

const KINDS = ['FLAT', 'WEIGHT', 'SUBTOTAL', 'BOTH', 'NONE'] as const;
type Limit = 'minWeight' | 'maxWeight' | 'minSubtotal' | 'maxSubtotal' | 'freeAbove';

export function Rates({ market, isOnly, rates, onInput, problem }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const isHere = (rate: ShippingRate) => rate.market.toLowerCase() === market.id.toLowerCase();
  const mine = rates.flatMap((rate, at) => (isHere(rate) ? [{ rate, at }] : []));
  const kind = kindOf(mine.map(({ rate }) => rate));
  const name = market.name || market.id;
  const replaceMine = (next: ShippingRate[]) => onInput([...rates.filter((rate) => !isHere(rate)), ...next]);
  const replace = (at: number, rate: ShippingRate) => onInput(rates.map((each, i) => (i === at ? rate : each)));
  const append = () => {
    const previous = mine.at(-1)!.rate;
    const { maxWeight, maxSubtotal, amount } = previous;
    replaceMine([
      ...mine.map(({ rate }) => rate),
      {
        market: market.id,
        amount,
        ...(kind === 'SUBTOTAL' || maxWeight === undefined ? {} : { minWeight: maxWeight }),
        ...(kind === 'WEIGHT' || maxSubtotal === undefined ? {} : { minSubtotal: maxSubtotal }),
      },
    ]);
    focusSoon(() => list.current?.children[mine.length]?.querySelector('input'));
  };
  return (
    <fieldset class="rates">
      <legend class={isOnly ? 'visually-hidden' : ''}>
        {isOnly ? t('shipping.rates') : t('shipping.ratesIn', { market: name })}
      </legend>
      <SelectField
        label={isOnly ? t('shipping.rateType') : t('shipping.rateTypeIn', { market: name })}
        hideLabel={!isOnly}
        {...(mine.length > 1 ? { hint: t('shipping.firstMatch') } : {})}
        value={kind}
        onInput={(next) =>
          replaceMine(
            asKind(
              mine.map(({ rate }) => rate),
              next,
              market.id,
            ),
          )
        }
        options={KINDS.map((each) => [each, t(`shipping.${each}`)] as const)}
      />
      <div ref={list}>
        {mine.map(({ rate, at }, i) => (
          <RateRow
            key={i}
            number={i + 1}
            kind={kind}
            rate={rate}
            currency={market.currency}
            set={(next) => replace(at, next)}
            remove={mine.length > 1 ? () => onInput(rates.filter((_, index) => index !== at)) : null}
            problem={(field) => problem(`[${at}].${field}`)}
          />
        ))}
      </div>
      {kind !== 'NONE' && kind !== 'FLAT' && (
        <button type="button" class="link" onClick={append}>
          {t('shipping.addRate')}
        </button>
      )}
    </fieldset>
  );
}

/** Keeps the prices and drops the limits that the kind doesn't have. */
function asKind(rates: ShippingRate[], kind: RateKind, market: string): ShippingRate[] {
  if (kind === 'NONE') return [];
  const start = rates.length > 0 ? rates : [{ market, amount: 0 }];
  const next = start.map(({ minWeight, maxWeight, minSubtotal, maxSubtotal, ...rate }, i) => ({
    ...rate,
    ...(kind === 'WEIGHT' || kind === 'BOTH'
      ? given({ minWeight: minWeight ?? (i === 0 ? 0 : undefined), maxWeight })
      : {}),
    ...(kind === 'SUBTOTAL' || kind === 'BOTH'
      ? given({ minSubtotal: minSubtotal ?? (i === 0 ? 0 : undefined), maxSubtotal })
      : {}),
  }));
  return kind === 'FLAT' ? next.slice(0, 1) : next;
}

const given = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

type RowProps = {
  number: number;
  kind: RateKind;
  rate: ShippingRate;
  currency: string;
  set: (rate: ShippingRate) => void;
  remove: (() => void) | null;
  problem: (field: string) => string | undefined;
};

function RateRow({ number, kind, rate, currency, set, remove, problem }: RowProps) {
  /** Removes an empty limit. */
  const limit = (name: Limit, value: number | null) => {
    const { [name]: _, ...rest } = rate;
    set(value === null ? rest : { ...rest, [name]: value });
  };
  const weight = (name: 'minWeight' | 'maxWeight', label: string) => {
    const grams = rate[name];
    return (
      <NumberField
        label={label}
        suffix="kg"
        value={grams === undefined ? null : grams / 1000}
        onInput={(kilograms) => limit(name, kilograms === null ? null : Math.round(kilograms * 1000))}
        problem={problem(name)}
      />
    );
  };
  const value = (name: 'minSubtotal' | 'maxSubtotal' | 'freeAbove', label: string) => (
    <MoneyField
      label={label}
      currency={currency}
      value={rate[name] ?? null}
      onInput={(amount) => limit(name, amount)}
      problem={problem(name)}
    />
  );
  return (
    <fieldset class="rate-row">
      <legend class="visually-hidden">{t('shipping.rate', { number })}</legend>
      {(kind === 'WEIGHT' || kind === 'BOTH') && (
        <>
          {weight('minWeight', t('shipping.fromWeight'))}
          {weight('maxWeight', t('shipping.toWeight'))}
        </>
      )}
      {(kind === 'SUBTOTAL' || kind === 'BOTH') && (
        <>
          {value('minSubtotal', t('shipping.fromValue'))}
          {value('maxSubtotal', t('shipping.toValue'))}
        </>
      )}
      <MoneyField
        label={t('shipping.amount')}
        currency={currency}
        value={rate.amount}
        onInput={(amount) => set({ ...rate, amount: amount ?? 0 })}
        problem={problem('amount')}
      />
      {(kind === 'FLAT' || kind === 'WEIGHT' || rate.freeAbove !== undefined) &&
        value('freeAbove', t('shipping.freeAbove'))}
      {remove && (
        <button
          type="button"
          class="icon"
          aria-label={t('parts.removeItem', { name: t('shipping.rate', { number }) })}
          onClick={remove}
        >
          ×
        </button>
      )}
    </fieldset>
  );
}
