import type { FacetValue } from '@souk/client';
import type { Site } from '../page.ts';
import { fill } from '../site.ts';
import type { Listing } from './load.ts';
import { majorUnits } from './query.ts';

type Props = { data: Listing; site: Site };

const MAX_SHOWN = 30;

export function FilterFields({ data, site }: Props) {
  const { facets, filters, labels } = data;
  const { catalog: words } = site.texts;
  const groups = [
    ...(facets.options ?? []).map(({ name, values }) => ({ field: `option:${name}`, legend: name, values })),
    ...(facets.blocks ?? []).map(({ id, values }) => ({ field: `block:${id}`, legend: labels[id] ?? id, values })),
  ].filter(({ values }) => values.length > 0);
  const { availability } = facets;
  return (
    <>
      <PriceFields data={data} site={site} />
      {availability && (availability.soldOut > 0 || filters.available) && (
        <fieldset>
          <legend>{words.availability}</legend>
          <label class="filter-choice">
            <input type="checkbox" name="available" value="true" checked={filters.available} />
            <span>{words.onlyAvailable}</span>
            <Count site={site} count={availability.available} isCapped={facets.isCapped} />
          </label>
        </fieldset>
      )}
      {groups.map(({ field, legend, values }) => (
        <fieldset key={field}>
          <legend class="capital">{legend}</legend>
          {sorted(values).map(({ value, count }) => (
            <label key={value} class="filter-choice">
              <input
                type="checkbox"
                name={field}
                value={value}
                checked={filters.chosen.some(([name, each]) => name.toLowerCase() === field && each === value)}
              />
              <span>{value}</span>
              <Count site={site} count={count} isCapped={facets.isCapped} />
            </label>
          ))}
        </fieldset>
      ))}
    </>
  );
}

/** Sorted by name, because sorting by count would rearrange them with every filter. Numbers sort by value. */
const sorted = (values: FacetValue[]) =>
  values.slice(0, MAX_SHOWN).sort((a, b) => a.value.localeCompare(b.value, undefined, { numeric: true }));

function Count({ site, count, isCapped }: { site: Site; count: number; isCapped: boolean }) {
  const text = new Intl.NumberFormat(site.locale).format(count) + (isCapped ? '+' : '');
  return (
    <span class="filter-count">
      <span aria-hidden="true">{text}</span>
      <span class="visually-hidden">{fill(site.texts.catalog.products, { count: text })}</span>
    </span>
  );
}

function PriceFields({ data: { facets, filters }, site }: Props) {
  const { catalog: words } = site.texts;
  const { currency } = site.market;
  const { price } = facets;
  if (!price || (price.min === price.max && !filters.min && !filters.max)) return null;
  const field = (name: 'min' | 'max', label: string, placeholder: string) => (
    <label>
      <span class="visually-hidden">{label}</span>
      <input inputmode="decimal" name={name} value={filters[name]} placeholder={placeholder} autocomplete="off" />
    </label>
  );
  return (
    <fieldset class="price-fields">
      <legend>{fill(words.price, { currency: currency.toUpperCase() })}</legend>
      <div>
        {field('min', words.minPrice, majorUnits(price.min, currency, Math.floor))}
        <span aria-hidden="true">–</span>
        {field('max', words.maxPrice, majorUnits(price.max, currency, Math.ceil))}
      </div>
    </fieldset>
  );
}
