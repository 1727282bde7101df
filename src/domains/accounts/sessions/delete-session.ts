import { notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { endSession } from './end-session.ts';

/** Ends one of the caller's own sessions. */
export async function deleteSession(ctx: Command, id: string): Promise<typeof SUCCESS> {
  if (!(await endSession(ctx, ctx.caller.userId, id))) throw notFound('Session');
  return SUCCESS;
}
