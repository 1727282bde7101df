import { isSoukError } from '@souk/client';
import { useState } from 'preact/hooks';
import { problemOf } from '../parts.tsx';

/** The errors at the fields of the checkout: those found in the browser, and those of the service until a field changes. */
export type Problems = {
  of: (path: string) => string | undefined;
  /** Whether a field of the address has an error. */
  has: (address: string) => boolean;
  set: (path: string, problem: string | undefined) => void;
  /** Removes the errors of an address. */
  clear: (address: string) => void;
  replace: (found: Record<string, string>) => void;
};

export function useProblems(error: unknown): Problems {
  const [found, setFound] = useState<Record<string, string | undefined>>({});
  const reported = isSoukError(error) ? error.details.map(({ field }) => field) : [];
  const of = (path: string) => (path in found ? found[path] : problemOf(error, path));
  const below = (address: string) =>
    [...Object.keys(found), ...reported].filter((path) => path.startsWith(`${address}.`));
  return {
    of,
    has: (address) => below(address).some((path) => of(path) !== undefined),
    set: (path, problem) => setFound((previous) => ({ ...previous, [path]: problem })),
    clear: (address) =>
      setFound((previous) => ({ ...previous, ...Object.fromEntries(below(address).map((path) => [path, undefined])) })),
    replace: setFound,
  };
}
