import { createHash } from 'node:crypto';
import type { Db } from '../../../db/sql.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import { composeMail, type MailContent } from '../rendering/compose-mail.ts';
import { isPublished, readSource, type Source } from '../rendering/source.ts';
import type { AutomationRow } from './queries.ts';
import { isMail } from './steps.ts';

/** A rendered email, or null if the entry can't be sent: not published, deleted, or with errors. */
export type PreparedMail = { source: Source; content: MailContent; contentId: string } | null;

/** Renders the emails of these steps, by entry. Runs before the transaction, because rendering takes CPU time. */
export async function prepareMails(
  ctx: Steps,
  { collectionId, steps }: AutomationRow,
  stepIds: readonly string[],
): Promise<Map<string, PreparedMail>> {
  const prepared = new Map<string, PreparedMail>();
  for (const step of steps.filter(isMail)) {
    if (!stepIds.includes(step.id) || prepared.has(step.entryId)) continue;
    prepared.set(step.entryId, await prepare(ctx, step.entryId, collectionId));
  }
  return prepared;
}

async function prepare(ctx: Steps, entryId: string, collectionId: string): Promise<PreparedMail> {
  const source = await findSendable(ctx, entryId, collectionId);
  if (!source) return null;
  const { content, errors } = composeMail(ctx, source);
  if (errors.length > 0) return null;
  const contentId = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  return { source, content, contentId };
}

type Reading = Parameters<typeof readSource>[0] & { db: Db };

/** Null if the entry is not published or does not belong to the newsletter. */
async function findSendable(ctx: Reading, entryId: string, collectionId: string): Promise<Source | null> {
  try {
    const source = await readSource(ctx, entryId);
    return isPublished(source) && source.collection.id === collectionId ? source : null;
  } catch (error) {
    if (error instanceof ServiceError && (error.kind === 'NOT_FOUND' || error.kind === 'VALIDATION_FAILED'))
      return null;
    throw error;
  }
}
