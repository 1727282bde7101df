import { t } from '../../text/index.ts';

type Props = { currencies: string[]; value: string; onInput: (currency: string) => void };

/** Shown only if there are several currencies. */
export function CurrencyChoice({ currencies, value, onInput }: Props) {
  if (currencies.length < 2) return null;
  return (
    <select
      class="currency"
      aria-label={t('parts.currency')}
      value={value}
      onChange={(event) => onInput(event.currentTarget.value)}
    >
      {currencies.map((each) => (
        <option key={each} value={each} selected={each === value}>
          {each.toUpperCase()}
        </option>
      ))}
    </select>
  );
}
