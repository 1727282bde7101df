/** Reads external JSON, in which any field can have any type. */

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Text that can be stored and searched. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 255 && !value.includes('\0') && value.isWellFormed();

export const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The items of a list object. */
export function itemsOf(list: unknown): unknown[] {
  const { data } = record(list);
  return Array.isArray(data) ? data : [];
}

/** The ID of a referenced or expanded object, or null. */
export function idOf(value: unknown): string | null {
  const id = typeof value === 'string' ? value : record(value).id;
  return isText(id) ? id : null;
}
