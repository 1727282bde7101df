/** A template is a response with holes for values that change often. It is serialized once and filled with each set of values. */
import Type from 'typebox';
import { asJson, type SerializedJson } from './serializer.ts';

/** The schema of a value that is filled in later. The record has `HOLE` in its place. */
export const Hole = Type.Unsafe<string>(Type.String({ format: 'unsafe' }));

/** JSON escapes control characters in strings and keys, so serialized user input never contains this one. */
export const HOLE = '\u001f';

/** The pieces around the holes: one more than there are holes. */
export const splitTemplate = (json: string): string[] => json.split(`"${HOLE}"`);

/** Fills the holes with `values`, in order. */
export function fillTemplate(pieces: readonly string[], values: readonly (string | number)[]): SerializedJson {
  let json = pieces[0]!;
  for (let i = 0; i < values.length; i++) json += JSON.stringify(values[i]) + pieces[i + 1];
  return asJson(json);
}
