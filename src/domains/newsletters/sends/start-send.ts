import { ServiceError } from '../../../shared/errors.ts';
import type { Command, Reading, Steps } from '../context.ts';
import { composeMail, type MailContent } from '../rendering/compose-mail.ts';
import { checkUnchanged, isPublished, isSourceChanged, readSource, type Source } from '../rendering/source.ts';
import { freezeSend, refreshStatistics } from './batch-queries.ts';
import { failSend, findSend, lockSend, type OnUnknown, type SendRow } from './send-queries.ts';
import { tellSend } from './tell.ts';

/** From here on the deliveries of one send can change what the best plan is. */
const MANY = 1000;

const MAX_RENDERINGS = 10;

/** What a send freezes, or a code that says why its entry can no longer be sent. `source` null: rendered when it was made. */
type Rendered = { source: Source | null; content: MailContent; onUnknown: OnUnknown } | { error: string };

/**
 * Freezes a send whose time has come, once. Returns it as it is then: running, cancelled, not due yet, or null when there is
 * nothing left to do for it.
 */
export async function startSend(ctx: Steps, id: string): Promise<SendRow | null> {
  const send = await findSend(ctx.db, ctx.businessId, id);
  if (!send?.open) return null;
  if (!isToStart(send, ctx.now)) return send;
  const isFrozenHere = await renderAndFreeze(ctx, send);
  const started = await findSend(ctx.db, ctx.businessId, id);
  if (isFrozenHere && started && started.recipients >= MANY) await ctx.write(refreshStatistics);
  return started?.open ? started : null;
}

async function renderAndFreeze(ctx: Steps, send: SendRow): Promise<boolean> {
  for (let rendering = 1; ; rendering++) {
    const rendered = await renderSend(ctx, send);
    try {
      return await ctx.transaction((tx) => freeze(tx, send.id, rendered));
    } catch (error) {
      if (!isSourceChanged(error) || rendering === MAX_RENDERINGS) throw error;
    }
  }
}

const isToStart = ({ open, frozen, status, scheduledAt }: SendRow, now: number) =>
  open && !frozen && status !== 'CANCELLED' && scheduledAt <= now;

async function renderSend(ctx: Steps, send: SendRow): Promise<Rendered> {
  if (send.content) return { source: null, content: send.content, onUnknown: send.onUnknown };
  const source = await findSource(ctx, send.entryId);
  if ('error' in source) return source;
  const { content, errors } = composeMail(ctx, source);
  if (errors.length > 0) return { error: errors[0]!.error };
  return { source, content, onUnknown: source.collection.settings.onUnknown ?? 'RETRY' };
}

/** True: it is frozen by this call. Of several workers that come at once, the first to lock the send freezes it. */
async function freeze(ctx: Command, id: string, rendered: Rendered): Promise<boolean> {
  const { db: tx, businessId, now } = ctx;
  const send = await lockSend(tx, businessId, id);
  if (!send || !isToStart(send, now)) return false;
  const error = 'error' in rendered ? rendered.error : await findProblem(ctx, send, rendered.source);
  if (error !== null) {
    await failSend(tx, send, error, now);
    await tellSend(ctx, 'newsletter.cancelled', send);
    return false;
  }
  const { content, onUnknown } = rendered as Exclude<Rendered, { error: string }>;
  await freezeSend(tx, { ...send, onUnknown }, content, now);
  if (send.status === 'SCHEDULED') await tellSend(ctx, 'newsletter.started', send);
  return true;
}

/** Why the entry cannot be sent now, although it could be rendered. Raises `SourceChanged` when it must be rendered again. */
async function findProblem(ctx: Command, { entryId }: SendRow, rendered: Source | null): Promise<string | null> {
  if (rendered === null) return null;
  const current = await findSource(ctx, entryId);
  if ('error' in current) return current.error;
  checkUnchanged(rendered, current);
  return null;
}

/** A published source, or why there is none. */
async function findSource(ctx: Reading, entryId: string): Promise<Source | { error: string }> {
  try {
    const source = await readSource(ctx, entryId);
    return isPublished(source) ? source : { error: 'NOT_PUBLISHED' };
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'NOT_FOUND') return { error: 'ENTRY_NOT_FOUND' };
    if (error instanceof ServiceError && error.kind === 'VALIDATION_FAILED') return { error: error.details[0]!.error };
    throw error;
  }
}
