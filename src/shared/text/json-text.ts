/** Characters that jsonb rejects, as `JSON.stringify` escapes them: NUL and lone surrogates (pairs aren't escaped). */
const REJECTED = /\\u(?:0000|d[89a-f])/;

/** The JSON text of a value for a jsonb column. Characters that jsonb rejects become U+FFFD. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return REJECTED.test(text) ? JSON.stringify(storable(value)) : text;
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storable(name), storable(inner)]));
}
