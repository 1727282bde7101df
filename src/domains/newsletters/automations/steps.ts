/** The steps of an automation. Pure. */
import type { FieldError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { checkFilter, type Filter, toFilter } from '../segments/filter.ts';

export const STEP_TYPES = ['MAIL', 'TAG', 'CONDITION'] as const;

type Base = { id: string; delaySeconds: number };
export type MailStep = Base & { type: 'MAIL'; entryId: string };
export type TagStep = Base & { type: 'TAG'; tag: string; remove?: boolean };
type ConditionStep = Base & { type: 'CONDITION'; filter: Filter };
export type Step = MailStep | TagStep | ConditionStep;

export type StepInput = {
  id?: string;
  type: (typeof STEP_TYPES)[number];
  delaySeconds?: number;
  entryId?: string;
  tag?: string;
  remove?: boolean;
  filter?: Filter;
};

export function checkSteps(steps: readonly StepInput[]): FieldError[] {
  const seen = new Set<string>();
  return steps.flatMap((step, i) => {
    const at = `steps[${i}]`;
    const required = (field: string): FieldError[] => [
      { field: `${at}.${field}`, error: 'REQUIRED', message: `${at}.${field} is required.` },
    ];
    if (step.id !== undefined && seen.has(step.id))
      return [{ field: `${at}.id`, error: 'DUPLICATE', message: `${at}.id must be unique.` }];
    if (step.id !== undefined) seen.add(step.id);
    if (step.type === 'MAIL') return step.entryId ? [] : required('entryId');
    if (step.type === 'TAG') return step.tag ? [] : required('tag');
    return step.filter === undefined ? required('filter') : checkFilter(step.filter, `${at}.filter`);
  });
}

/** Checked steps, with only the fields of their type. */
export const toSteps = (steps: readonly StepInput[]): Step[] =>
  steps.map(({ id = newId('step'), type, delaySeconds = 0, entryId = '', tag = '', remove, filter }) => {
    const base = { id, delaySeconds };
    if (type === 'MAIL') return { ...base, type, entryId };
    if (type === 'TAG') return { ...base, type, tag: tag.toLowerCase(), ...(remove ? { remove } : {}) };
    return { ...base, type, filter: toFilter(filter) };
  });

export const isMail = (step: Step): step is MailStep => step.type === 'MAIL';

/** The first step after this one that the person has not passed. Null at the end. */
export function stepAfter(steps: readonly Step[], stepId: string, done: readonly string[]): Step | null {
  const at = steps.findIndex(({ id }) => id === stepId);
  return steps.slice(at + 1).find(({ id }) => !done.includes(id)) ?? null;
}

/** For each removed step, where people waiting for it continue: at the step after the last remaining step before it. Null at the end. */
export function movesAfter(before: readonly Step[], after: readonly Step[]): Map<string, Step | null> {
  const places = new Map(after.map(({ id }, i) => [id, i]));
  const moves = new Map<string, Step | null>();
  let previous = -1;
  for (const { id } of before) {
    const place = places.get(id);
    if (place === undefined) moves.set(id, after[previous + 1] ?? null);
    else previous = place;
  }
  return moves;
}
