import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { updateConfirmed } from './queries.ts';
import { readMailToken, tokenInvalid } from './read-mail-token.ts';

/** Opens the account. The token stays good for its hour, so that a second click on the button is no error. */
export async function confirm(ctx: Command, token: string): Promise<typeof SUCCESS> {
  const { userId, passwordVersion } = readMailToken(ctx, 'confirm', token);
  if (!(await updateConfirmed(ctx.db, userId, passwordVersion, ctx.now))) throw tokenInvalid();
  return SUCCESS;
}
