/** Reading somebody else's JSON: every field of it may be anything. */

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** What can be stored and looked for. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 255 && !value.includes('\0') && value.isWellFormed();

export const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The items of a list object. */
export function itemsOf(list: unknown): unknown[] {
  const { data } = record(list);
  return Array.isArray(data) ? data : [];
}

/** Of a thing that is named or included; null: neither. */
export function idOf(value: unknown): string | null {
  const id = typeof value === 'string' ? value : record(value).id;
  return isText(id) ? id : null;
}
