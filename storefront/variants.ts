/** Options of products, such as size and color, from the attributes of their variants. */
import type { Variant } from '@souk/client';
import type { SiteInfo } from './page.ts';
import { isAvailable } from './site.ts';

/** The names of the options and their values; null if the attributes don't distinguish the variants. */
export function optionsOf(variants: Variant[]): { name: string; values: string[] }[] | null {
  const names = variants[0]?.attributes.map(({ name }) => name) ?? [];
  const combinations = variants.map((variant) => names.map((name) => attributeOf(variant, name)));
  const isComplete =
    names.length > 0 &&
    combinations.every((each) => each.every((value) => value !== undefined)) &&
    new Set(combinations.map((each) => JSON.stringify(each))).size === variants.length;
  if (!isComplete) return null;
  return names.map((name, i) => ({ name, values: [...new Set(combinations.map((each) => each[i]!))] }));
}

export const attributeOf = ({ attributes }: Variant, name: string) =>
  attributes.find((each) => each.name === name)?.value;

/** The variant with this value that shares the most of the other chosen values, available ones first. */
export function variantWith(
  variants: Variant[],
  chosen: Variant | undefined,
  name: string,
  value: string,
  site: SiteInfo,
): Variant | undefined {
  const score = (variant: Variant) =>
    (chosen?.attributes ?? []).filter((each) => each.name !== name && attributeOf(variant, each.name) === each.value)
      .length *
      2 +
    (isAvailable(variant, site) ? 1 : 0);
  return variants.filter((each) => attributeOf(each, name) === value).sort((a, b) => score(b) - score(a))[0];
}
