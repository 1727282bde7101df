/** The pages of a section, by URL pattern: `':id': () => import('./order.tsx')`. A page is loaded when it is first opened. */
import type { ComponentType } from 'preact';

/** The default export is the page. The `:names` of the pattern are its properties. */
export type Routes = Record<string, () => Promise<{ default: ComponentType<never> }>>;

type Match = { load: Routes[string]; params: Record<string, string> };

/** Finds the page for the segments after the section. Fixed segments win over `:names`. */
export function matchRoute(routes: Routes, rest: string[]): Match | null {
  const patterns = Object.keys(routes).sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
  for (const pattern of patterns) {
    const parts = pattern === '' ? [] : pattern.split('/');
    if (parts.length !== rest.length) continue;
    const params: Record<string, string> = {};
    const isMatch = parts.every((part, i) => {
      if (!part.startsWith(':')) return part === rest[i];
      params[part.slice(1)] = rest[i]!;
      return true;
    });
    if (isMatch) return { load: routes[pattern]!, params };
  }
  return null;
}
