/** Converts imports like `src/import-thread.ts`, but does what the name of a product says. */
import { createConvert } from '../../src/domains/imports/conversion/convert.ts';
import { parseJson } from '../../src/http/bodies/json.ts';

const kept: unknown[] = [];

const check = (value: unknown) => {
  const product = value as { name: string; description?: string };
  const { name } = product;
  if (name === 'LOOP') for (;;);
  if (name === 'GROW') for (;;) kept.push([kept.length]);
  if (name === 'LONG') product.description = 'x'.repeat(9_000_000);
  if (name === 'CRASH') throw new Error('A mistake in the code');
  return null;
};

export const convert = createConvert({ parse: parseJson, compile: () => check });
