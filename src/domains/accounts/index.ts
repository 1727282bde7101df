/**
 * Accounts: who somebody is. A **user** is a person, confirmed by e-mail or by an identity provider, or a **guest**. A
 * **session** is one login; its access and refresh tokens die with it. An **API key** acts as the user that owns it.
 *
 * Invariants: whatever ends a session, a key or a permission publishes `user:<id>` in the same transaction, so that every
 * process forgets the caller within a second. A change of the password ends every session, and none begun with the old one
 * survives it. An e-mail is proved before it opens anything: by the mailed link, or by the identity provider's word.
 */
import { inTransaction, type Tx } from '../../db/connection.ts';
import { createLimits } from '../../db/limits.ts';
import type { Deps } from '../../deps.ts';
import { addConfirmedUser, type ConfirmedUser } from './add-confirmed-user.ts';
import { confirm } from './confirm.ts';
import type { AccountsContext } from './context.ts';
import { FORGOT_JOB, type Forgotten, mailReset } from './forgot-password.ts';
import { createGate } from './gate.ts';
import { accountLimits } from './limits.ts';
import { createLine } from './line.ts';
import { REVOKE_JOB, revokeIdpTokens } from './logout.ts';
import { createMailTokens } from './mail-tokens.ts';
import { createPasswords } from './passwords.ts';
import { deleteExpired } from './queries.ts';
import { resetForgottenPassword } from './reset-password.ts';
import type { Tie } from './search-users.ts';
import { beginSession } from './sessions.ts';
import { createTokens } from './tokens.ts';
import { hasUsers } from './user-queries.ts';

export type { Tie } from './search-users.ts';
export { existingUsers, findUser, insertUser, type UserSummary } from './user-queries.ts';

export async function createAccounts(deps: Deps) {
  const { config, jobs, pool, clock } = deps;
  const context: AccountsContext = {
    ...deps,
    tokens: await createTokens(deps),
    mailTokens: createMailTokens(config.secretKey),
    passwords: createPasswords(config),
    limiter: createLimits(deps),
    limits: accountLimits(config),
    inLine: createLine(),
    idp: config.oauth && (await import('../../providers/oauth/openid.ts')).openIdProvider(config.oauth),
  };
  const ties: Tie[] = [];

  jobs.register<Forgotten>({ name: FORGOT_JOB, urgent: true, handle: (data) => mailReset(context, data) });
  jobs.register<{ sealed: string }>({ name: REVOKE_JOB, handle: ({ sealed }) => revokeIdpTokens(context, sealed) });

  return {
    context,
    ties: ties as readonly Tie[],
    authenticate: createGate(deps, context.tokens),
    /** Begins a session and returns its tokens. */
    beginSession: (tx: Tx, user: { id: string; email: string | null }, provider: string, lifeSeconds: number | null) =>
      beginSession(context, tx, user, provider, lifeSeconds),
    confirm: (token: string) => confirm(context, token),
    resetForgottenPassword: (token: string, password: string) => resetForgottenPassword(context, { token, password }),
    /** Makes further people of a business visible to its ADMINs in the user search. */
    registerTie: (tie: Tie) => void ties.push(tie),
    hasUsers,
    hashPassword: context.passwords.hash,
    addConfirmedUser: (tx: Tx, user: ConfirmedUser) => addConfirmedUser(context, tx, user),
    rotateKeys: context.tokens.rotate,
    /** Clears away what has expired. */
    tidy: () => inTransaction(pool, (tx) => deleteExpired(tx, clock.seconds())),
  };
}

export type Accounts = Awaited<ReturnType<typeof createAccounts>>;
