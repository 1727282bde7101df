import { isDeepStrictEqual } from 'node:util';
import { type Document, LOWER_LIMITS, type Schema, UPPER_LIMITS } from './document.ts';

export type Report = (subject: string, change: string) => void;
/**
 * `input`: requests from existing clients must still be accepted. `output`: fields that clients read must still exist.
 */
type Direction = 'input' | 'output';

/** `seen`: pairs of named schemas that have been or are being compared, because a schema can contain itself. */
export function compareSchemas(before: Document, after: Document, report: Report, seen = new Set<string>()) {
  function resolve(document: Document, schema: Schema): Schema {
    const name = nameOf(schema);
    return name === null ? schema : resolve(document, document.components?.schemas?.[name] ?? {});
  }

  /** The alternatives of a union. */
  const variantsOf = (document: Document, schema: Schema): Schema[] => {
    const { anyOf } = resolve(document, schema);
    return anyOf ? anyOf.flatMap((each) => variantsOf(document, each)) : [schema];
  };

  /** Whether the schemas are compatible. */
  function isCompatible(direction: Direction, old: Schema, now: Schema): boolean {
    let isSame = true;
    const reportDifference = () => {
      isSame = false;
    };
    const quiet = compareSchemas(before, after, reportDifference, new Set(seen));
    quiet('', direction, old, now, '');
    return isSame;
  }

  function compare(given: string, direction: Direction, old: Schema, now: Schema, path: string): void {
    const name = nameOf(old);
    // A named schema is reported once, not for each operation that uses it.
    const [subject, at] = name === null ? [given, path] : [name, ''];
    const pair = `${direction} ${name} ${nameOf(now)}`;
    if (name !== null && seen.has(pair)) return;
    if (name !== null) seen.add(pair);
    const [oldVariants, nowVariants] = [variantsOf(before, old), variantsOf(after, now)];
    if (oldVariants.length === 1 && nowVariants.length === 1) {
      compareOne(subject, direction, resolve(before, oldVariants[0]!), resolve(after, nowVariants[0]!), at);
      return;
    }
    const isInput = direction === 'input';
    const [needed, offered] = isInput ? [oldVariants, nowVariants] : [nowVariants, oldVariants];
    for (const [i, variant] of needed.entries()) {
      const pairOf = (other: Schema) => (isInput ? ([variant, other] as const) : ([other, variant] as const));
      if (offered.some((other) => isCompatible(direction, ...pairOf(other)))) continue;
      const partner = oldVariants.length === nowVariants.length ? offered[i] : undefined;
      if (partner) compare(subject, direction, ...pairOf(partner), at);
      else
        report(subject, isInput ? `${field(at)} no longer accepts all values` : `${field(at)} can have other values`);
    }
  }

  function compareOne(subject: string, direction: Direction, old: Schema, now: Schema, path: string): void {
    if (old.type !== now.type && !(direction === 'input' ? now.type === undefined : old.type === undefined)) {
      report(subject, `${field(path)} is now of type ${now.type ?? 'any'}, not ${old.type ?? 'any'}`);
      return;
    }
    if (direction === 'input') compareLimits(subject, old, now, path);
    for (const [name, schema] of Object.entries(old.properties ?? {})) {
      const found = now.properties?.[name];
      const inner = path ? `${path}.${name}` : name;
      if (!found) report(subject, `${field(inner)} was removed`);
      else compare(subject, direction, schema, found, inner);
    }
    const [must, mustNow] = [old.required ?? [], now.required ?? []];
    if (direction === 'input') {
      for (const name of mustNow.filter((each) => !must.includes(each)))
        report(subject, `${field(path ? `${path}.${name}` : name)} is now required`);
    } else {
      for (const name of must.filter((each) => !mustNow.includes(each) && now.properties?.[each]))
        report(subject, `${field(path ? `${path}.${name}` : name)} can now be missing`);
    }
    if (old.items && now.items) compare(subject, direction, old.items, now.items, `${path}[]`);
    const [extra, extraNow] = [old.additionalProperties ?? true, now.additionalProperties ?? true];
    if (typeof extra === 'object' && typeof extraNow === 'object')
      compare(subject, direction, extra, extraNow, `${path}.*`);
  }

  function compareLimits(subject: string, old: Schema, now: Schema, path: string): void {
    const values = valuesOf(now);
    const lost =
      values &&
      (valuesOf(old)?.filter((value) => !values.some((each) => isDeepStrictEqual(each, value))) ?? ['others']);
    if (lost?.length) report(subject, `${field(path)} no longer accepts ${lost.join(', ')}`);
    for (const limit of UPPER_LIMITS) {
      if ((now[limit] ?? Infinity) < (old[limit] ?? impliedLimit(limit, old, now)))
        report(subject, `${field(path)} has a lower ${limit}`);
    }
    for (const limit of LOWER_LIMITS) {
      if ((now[limit] ?? -Infinity) > (old[limit] ?? -Infinity))
        report(subject, `${field(path)} has a higher ${limit}`);
    }
    if (now.pattern !== undefined && now.pattern !== old.pattern)
      report(subject, `${field(path)} has a different pattern`);
  }

  return compare;
}

/** Node accepts 16 KB for the URL and all headers. */
const MAX_HEAD = 16_384;

/** The limit of a schema without one: a pattern limits the length of a string, and Node that of a parameter. */
function impliedLimit(limit: string, old: Schema, now: Schema): number {
  if (limit !== 'maxLength' || old.type !== 'string') return Infinity;
  return old.pattern !== undefined && old.pattern === now.pattern ? (now.maxLength ?? Infinity) : MAX_HEAD;
}

const nameOf = ({ $ref }: Schema) => $ref?.replace('#/components/schemas/', '') ?? null;
const valuesOf = (schema: Schema) => schema.enum ?? ('const' in schema ? [schema.const] : undefined);
const field = (path: string) => (path ? `field ${path}` : 'value');
