/** Finds changes between two OpenAPI documents that break a client written for the first one. */
import { compareSchemas, type Report } from './compare-schemas.ts';
import type { Document, Operation, Parameter } from './document.ts';

/** `subject`: the changed operation or named schema. */
export type Breakage = { subject: string; change: string };

export function findBreakages(before: Document, after: Document): Breakage[] {
  const found = new Map<string, Breakage>();
  const report: Report = (subject, change) => void found.set(`${subject} ${change}`, { subject, change });
  const compare = compareSchemas(before, after, report);
  for (const [path, methods] of Object.entries(before.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const subject = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (!now) report(subject, 'was removed');
      else compareOperations(subject, operation, now, compare, report);
    }
  }
  return [...found.values()];
}

function compareOperations(
  subject: string,
  before: Operation,
  after: Operation,
  compare: ReturnType<typeof compareSchemas>,
  report: Report,
): void {
  if (before.operationId !== after.operationId) report(subject, `was renamed to ${after.operationId}`);
  compareParameters(subject, before.parameters ?? [], after.parameters ?? [], compare, report);
  const [body, newBody] = [before.requestBody, after.requestBody];
  if (newBody?.required && !body?.required) report(subject, 'now requires a body');
  for (const [type, { schema }] of Object.entries(body?.content ?? {})) {
    const now = newBody?.content[type];
    if (!now) report(subject, `no longer accepts a body of type ${type}`);
    else compare(subject, 'input', schema ?? {}, now.schema ?? {}, '');
  }
  for (const [status, { content = {} }] of Object.entries(before.responses)) {
    if (!/^[23]/.test(status)) continue;
    const now = after.responses[status];
    if (!now) report(subject, `no longer returns ${status}`);
    for (const [type, { schema }] of Object.entries(content)) {
      const current = now?.content?.[type];
      if (now && !current) report(subject, `no longer returns ${type}`);
      else if (current) compare(subject, 'output', schema ?? {}, current.schema ?? {}, '');
    }
  }
}

function compareParameters(
  subject: string,
  before: Parameter[],
  after: Parameter[],
  compare: ReturnType<typeof compareSchemas>,
  report: Report,
): void {
  const keyOf = (parameter: Parameter) => `${parameter.in} parameter ${parameter.name}`;
  const [old, now] = [before, after].map((all) => new Map(all.map((each) => [keyOf(each), each])));
  for (const [key, { required }] of now!) {
    if (required && !old!.get(key)?.required) report(subject, `now requires the ${key}`);
  }
  for (const [key, parameter] of old!) {
    const found = now!.get(key);
    if (!found) report(subject, `no longer accepts the ${key}`);
    else compare(subject, 'input', parameter.schema ?? {}, found.schema ?? {}, parameter.name);
  }
}
