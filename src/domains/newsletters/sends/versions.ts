/** The versions of an issue that an experiment compares: its subjects, or the content of other entries of the newsletter. */
import type { Platform } from '../../../context/index.ts';
import { type FieldError, invalidField, ServiceError } from '../../../shared/errors.ts';
import type { Reading } from '../context.ts';
import { composeMail, type MailContent } from '../rendering/compose-mail.ts';
import { checkUnchanged, readSource, type Source } from '../rendering/source.ts';
import type { Experiment } from './send-queries.ts';

/** Experiments stored by earlier versions have no `alternatives`. */
export const alternativesOf = (experiment: Experiment | null | undefined) => experiment?.alternatives ?? [];

export const countVersions = (experiment: Experiment) =>
  experiment.subjects.length || 1 + alternativesOf(experiment).length;

/** The issue first, then its alternatives. Throws 422 if an alternative would reach people who can't read it, or is not an issue. */
export async function readVersions(
  ctx: Reading,
  entryId: string,
  experiment: Experiment | null | undefined,
): Promise<Source[]> {
  const issue = await readSource(ctx, entryId);
  const sources = [issue];
  for (const [i, id] of alternativesOf(experiment).entries()) {
    const field = `experiment.alternatives[${i}]`;
    const source = await readSource(ctx, id).catch((error) => {
      if (error instanceof ServiceError && error.kind === 'NOT_FOUND') return null;
      throw error;
    });
    if (source?.collection.id !== issue.collection.id || id === entryId) {
      throw invalidField(field, 'NOT_FOUND', `${field} must be another issue of this newsletter.`);
    }
    if (accessOf(source) !== accessOf(issue)) {
      throw invalidField(field, 'ACCESS_DIFFERS', `${field} must have the same access as the issue.`);
    }
    sources.push(source);
  }
  return sources;
}

const accessOf = ({ entry }: Source) =>
  JSON.stringify([entry.access ?? 'PUBLIC', entry.access === 'PLANS' ? [...(entry.planIds ?? [])].sort() : []]);

/** Renders all versions. A link has the same number in each of them. */
export function composeVersions(
  ctx: Pick<Platform, 'config' | 'publicUrl'>,
  [issue, ...others]: readonly Source[],
  experiment: Experiment | null | undefined,
): { content: MailContent; errors: FieldError[] } {
  const { content, errors } = composeMail(ctx, issue!, { subjects: experiment?.subjects });
  if (others.length === 0) return { content, errors };
  let links = content.links;
  const alternatives = others.map((source, i) => {
    const version = composeMail(ctx, source, { knownLinks: links });
    const at = (field: string) => `experiment.alternatives[${i}].${field}`;
    errors.push(...version.errors.map((each) => ({ ...each, field: at(each.field) })));
    links = version.content.links;
    return version.content.mail;
  });
  return { content: { ...content, alternatives, ...(links ? { links } : {}) }, errors };
}

export function checkVersionsUnchanged(rendered: readonly Source[], current: readonly Source[]): void {
  for (const [i, source] of rendered.entries()) checkUnchanged(source, current[i]!);
}
