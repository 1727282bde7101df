/** A statement in the driver's format. */
export type Query = { text: string; name: string | undefined; values?: unknown[]; rowMode: 'array' };

/** Prepared statements, by text. Beyond the maximum, statements are not prepared, so that rare ones can't fill the server's memory. */
const prepared = new Map<string, Query>();
const MAX_PREPARED = 1000;

export const findPrepared = (text: string): Query | undefined => prepared.get(text);

/** The name under which a statement text is prepared on every connection. */
export function sharedName(text: string): string | undefined {
  const known = prepared.get(text);
  if (known !== undefined || prepared.size >= MAX_PREPARED) return known?.name;
  const name = `souk_${prepared.size}`;
  prepared.set(text, { text, name, rowMode: 'array' });
  return name;
}
