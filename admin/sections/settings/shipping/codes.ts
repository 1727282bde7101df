/** Codes for new methods and locations, created from their names. */
import type { ShippingMethod } from '@souk/client';

/** `Übernacht-Express` becomes `ubernacht-express`. Other items keep their codes. */
export function codeFor(name: string, taken: readonly string[], fallback: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const base =
    plain
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 50) || fallback;
  let code = base;
  for (let number = 2; taken.includes(code); number++) code = `${base}-${number}`;
  return code;
}

function fill<T extends { id: string; name?: string }>(items: readonly T[], fallback: string): T[] {
  const taken = items.map(({ id }) => id).filter(Boolean);
  return items.map((item) => {
    if (item.id) return item;
    const id = codeFor(item.name ?? '', taken, fallback);
    taken.push(id);
    return { ...item, id };
  });
}

export const withCodes = (methods: readonly ShippingMethod[]): ShippingMethod[] =>
  fill(methods, 'shipping').map((method) =>
    method.locations ? { ...method, locations: fill(method.locations, 'location') } : method,
  );
