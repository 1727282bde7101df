/** Three-way merge by top-level field. A field that both sides changed is an overlap, which the user resolves. */
export const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null, onlyId) === JSON.stringify(b ?? null, onlyId);

/** Records contain copies of their media files: a new alt text or crop of a file is not a change to the record. */
function onlyId(_name: string, value: unknown): unknown {
  const { id, mimeType } = (value ?? {}) as { id?: unknown; mimeType?: unknown };
  return typeof id === 'string' && id.startsWith('media_') && mimeType !== undefined ? { id } : value;
}

export function changedFields<T extends object>(base: T, now: T): (keyof T)[] {
  const names = new Set([...Object.keys(base), ...Object.keys(now)]) as Set<keyof T>;
  return [...names].filter((name) => !same(base[name], now[name]));
}

export function merge<T extends object>(base: T, mine: T, theirs: T): { merged: T; overlap: (keyof T)[] } {
  const merged = { ...theirs };
  const overlap: (keyof T)[] = [];
  for (const name of changedFields(base, mine)) {
    if (!same(base[name], theirs[name]) && !same(mine[name], theirs[name])) overlap.push(name);
    merged[name] = mine[name];
  }
  return { merged, overlap };
}
