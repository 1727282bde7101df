import { inTransaction, type Tx } from '../../db/connection.ts';
import type { IdpTokens } from '../../providers/oauth/port.ts';
import { userSubject } from '../../shared/caller.ts';
import { invalid, notFound, unauthenticated } from '../../shared/errors.ts';
import { unseal } from '../../shared/secrets.ts';
import type { AccountsContext } from './context.ts';
import { badOrigin } from './login-url.ts';
import { idpTokensKey } from './oauth-login.ts';
import { deleteSession } from './queries.ts';
import type { LogoutInput } from './schemas.ts';

export const REVOKE_JOB = 'revoke-idp-tokens';

/** Ends the session of the token in the body, access or refresh, or else of the one that was presented. */
export async function logout(context: AccountsContext, input: LogoutInput, presented: string | null): Promise<void> {
  const { tokens, origins, idp, pool } = context;
  const token = input.token ?? presented;
  const claims = token && ((await tokens.read('access', token)) ?? (await tokens.read('refresh', token)));
  if (!claims) throw unauthenticated('The token is not valid, has expired or was revoked.');
  if (claims.provider === idp?.name && input.originUrl !== undefined && !origins.isOAuthOrigin(input.originUrl)) {
    throw invalid([badOrigin()]);
  }
  const ended = await inTransaction(pool, (tx) => endSession(context, tx, claims.sub, claims.sid));
  if (!ended) throw unauthenticated('The session has ended already.');
}

/** Ends one of the user's own sessions. */
export async function deleteOwnSession(context: AccountsContext, userId: string, id: string): Promise<void> {
  const ended = await inTransaction(context.pool, (tx) => endSession(context, tx, userId, id));
  if (!ended) throw notFound('Session');
}

/** For the job: tells the identity provider, again and again until it has heard. */
export async function revokeIdpTokens(context: AccountsContext, sealed: string): Promise<void> {
  const tokens: IdpTokens = JSON.parse(unseal(idpTokensKey(context), sealed, 'idp-tokens'));
  await context.idp?.revoke(tokens);
}

async function endSession(context: AccountsContext, tx: Tx, userId: string, id: string): Promise<boolean> {
  const session = await deleteSession(tx, userId, id);
  if (!session) return false;
  if (session.idpTokens) await context.jobs.enqueue(tx, REVOKE_JOB, { sealed: session.idpTokens });
  await context.broadcast.publish(tx, userSubject(userId));
  return true;
}
