/** What a JSON schema says, in words and by example. */
import { resolve } from './api.js';

const MAX_DEPTH = 8;

/**
 * A value that fits the schema: its own example where it gives one, else the smallest that we can make. `full` adds the
 * fields that may be left out.
 */
export function exampleOf(api, schema, full = false, depth = 0) {
  const found = flatten(api, schema);
  const given = found.examples?.[0] ?? found.example ?? found.default ?? found.const ?? found.enum?.[0];
  if (given !== undefined) return given;
  const branch = (found.anyOf ?? found.oneOf)?.find((one) => resolve(api, one).type !== 'null');
  if (branch) return exampleOf(api, branch, full, depth);
  switch (mainType(found)) {
    case 'object':
      return exampleObject(api, found, full, depth);
    case 'array':
      return depth >= MAX_DEPTH || !found.items
        ? []
        : Array.from({ length: Math.max(1, found.minItems ?? 1) }, () => exampleOf(api, found.items, full, depth + 1));
    case 'integer':
    case 'number':
      return exampleNumber(found);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return exampleText(found);
  }
}

function exampleObject(api, schema, full, depth) {
  const required = new Set(schema.required ?? []);
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name]) => required.has(name) || (full && depth < MAX_DEPTH),
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(api, property, full, depth + 1)]));
}

function exampleNumber({ minimum, exclusiveMinimum, maximum, multipleOf }) {
  const lowest = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + (multipleOf ?? 1));
  return maximum === undefined ? lowest : Math.min(lowest, maximum);
}

function exampleText({ format, minLength = 0, maxLength = 200 }) {
  const known = {
    email: 'ada@example.com',
    uri: 'https://example.com',
    date: '2026-01-31',
    uuid: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  };
  return (known[format] ?? 'text').padEnd(minLength, '-').slice(0, maxLength);
}

/** The schema without `$ref` and `allOf`. */
export function flatten(api, schema) {
  const found = resolve(api, schema ?? {});
  if (!found.allOf) return found;
  const parts = [...found.allOf.map((part) => flatten(api, part)), { ...found, allOf: undefined }];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

const mainType = ({ type, properties }) =>
  (Array.isArray(type) ? type.find((one) => one !== 'null') : type) ?? (properties ? 'object' : 'string');

/** The branches of a union that are not null; the schema alone when it is no union. */
export function branchesOf(api, schema) {
  const found = flatten(api, schema);
  const branches = found.anyOf ?? found.oneOf;
  if (!branches) return [found];
  return branches.map((branch) => flatten(api, branch)).filter(({ type }) => type !== 'null');
}

/** The few values that fit, or null when there are many. */
export function choicesOf(api, schema) {
  const found = flatten(api, schema);
  if (found.enum) return found.enum;
  if (found.const !== undefined) return [found.const];
  if (found.type === 'boolean') return [true, false];
  const branches = (found.anyOf ?? found.oneOf)?.map((branch) => choicesOf(api, branch));
  return branches?.every((choices) => choices !== null) ? branches.flat() : null;
}

/** `string`, `array of object`, `"A" | "B"`, `integer or null`. */
export function typeText(api, schema) {
  const found = flatten(api, schema);
  const branches = found.anyOf ?? found.oneOf;
  if (branches) {
    const words = [...new Set(branches.map((branch) => typeText(api, branch)))];
    return words.join(words.every((word) => word.startsWith('"')) ? ' | ' : ' or ');
  }
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum) return found.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (found.type === 'array') return `array of ${typeText(api, found.items)}`;
  return [found.type ?? (found.properties ? 'object' : 'any')].flat().join(' or ');
}

/** The limits in words, such as "1 to 200 characters". */
export function limitsText(api, schema) {
  const s = flatten(api, schema);
  const range = (low, high, unit) => {
    if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
    if (low !== undefined) return low > 0 || unit === '' ? `at least ${low}${unit}` : null;
    return high === undefined ? null : `at most ${high}${unit}`;
  };
  return [
    s.format,
    range(s.minLength, s.maxLength, ' characters'),
    range(s.minItems, s.maxItems, ' entries'),
    range(s.minimum, s.maximum, ''),
    s.default === undefined ? null : `default ${JSON.stringify(s.default)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
