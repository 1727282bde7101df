/** Options such as size and color, whose combinations become variants. */
import { useRef, useState } from 'preact/hooks';
import { TagsField, TextField } from '../../parts/form/form.tsx';
import { focusSoon } from '../../shell/focus.ts';
import { t } from '../../text/index.ts';
import { newVariant, type VariantForm } from './form.ts';

type Option = { name: string; values: string[] };
const MAX_VARIANTS = 1000;

function optionsOf(variants: VariantForm[]): Option[] {
  const options = new Map<string, Set<string>>();
  for (const { name, value } of variants.flatMap(({ attributes }) => attributes)) {
    if (!options.has(name)) options.set(name, new Set());
    options.get(name)!.add(value);
  }
  return [...options].map(([name, values]) => ({ name, values: [...values] }));
}

const combinations = (options: Option[]): { name: string; value: string }[][] =>
  options.reduce<{ name: string; value: string }[][]>(
    (partial, { name, values }) => partial.flatMap((each) => values.map((value) => [...each, { name, value }])),
    [[]],
  );

const keyOf = (attributes: { name: string; value: string }[]) =>
  attributes
    .map(({ name, value }) => `${name}=${value}`.toLowerCase())
    .sort()
    .join('|');

/** Keeps the variants that match a combination and creates the others. */
function generateVariants(options: Option[], previous: VariantForm[]): VariantForm[] {
  const known = new Map(previous.map((variant) => [keyOf(variant.attributes), variant]));
  const ids = new Set<string>();
  return combinations(options)
    .slice(0, MAX_VARIANTS)
    .map((attributes) => {
      const same = known.get(keyOf(attributes));
      const values = attributes.map(({ value }) => value);
      let id =
        same?.id ??
        (values
          .join('-')
          .toLowerCase()
          .normalize('NFKD')
          .replace(/[^a-z0-9-]+/g, '') ||
          'variant');
      while (ids.has(id)) id += '-2';
      ids.add(id);
      return same ?? { ...newVariant(id, values.join(' / '), previous[0]), attributes };
    });
}

export function Options({ variants, change }: { variants: VariantForm[]; change: (variants: VariantForm[]) => void }) {
  const [options, setOptions] = useState<Option[]>(() => optionsOf(variants));
  const box = useRef<HTMLDetailsElement>(null);
  const add = () => {
    setOptions([...options, { name: '', values: [] }]);
    focusSoon(() => box.current?.querySelectorAll('.option-row')[options.length]?.querySelector('input'));
  };
  /** Called when variants were generated: the form collapses, and the first variant is focused. */
  const generate = () => {
    change(generateVariants(usable, variants));
    focusSoon(() => box.current?.parentElement?.querySelector<HTMLElement>('.variant input'));
  };
  const set = (i: number, part: Partial<Option>) =>
    setOptions(options.map((each, j) => (i === j ? { ...each, ...part } : each)));
  const usable = options.filter(({ name, values }) => name.trim() && values.length > 0);
  return (
    <details ref={box} class="options" open={variants.length === 1}>
      <summary>{t('products.options')}</summary>
      <p class="hint">{t('products.optionsHint')}</p>
      {options.map(({ name, values }, i) => (
        <div key={i} class="option-row">
          <TextField
            label={t('products.optionName', { number: i + 1 })}
            value={name}
            onInput={(value) => set(i, { name: value })}
          />
          <TagsField
            label={t('products.optionValues', { number: i + 1 })}
            hint={t('products.valuesHint')}
            value={values}
            onInput={(next) => set(i, { values: next })}
          />
          <button
            type="button"
            class="icon"
            aria-label={t('parts.removeItem', { name: name || t('products.optionName', { number: i + 1 }) })}
            onClick={() => setOptions(options.filter((_, j) => j !== i))}
          >
            ×
          </button>
        </div>
      ))}
      <div class="actions">
        <button type="button" class="quiet" onClick={add}>
          {t('products.addOption')}
        </button>
        {usable.length > 0 && (
          <button type="button" class="quiet" onClick={generate}>
            {t('products.generateVariants')}
          </button>
        )}
      </div>
    </details>
  );
}
