import { inTransaction, type Tx } from '../../db/connection.ts';
import { CodeRefused, type FlowSecrets, type Identity } from '../../providers/oauth/port.ts';
import { badRequest, invalid, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { deriveKey, seal, unseal } from '../../shared/secrets.ts';
import type { AccountsContext } from './context.ts';
import { addressKey } from './limits.ts';
import { badOrigin, flowKey, hashState } from './login-url.ts';
import { claimFlow, claimLatestFlow, type FlowRow } from './oauth-queries.ts';
import { deleteSessionsOf } from './queries.ts';
import type { AuthResult, LoginInput } from './schemas.ts';
import { beginSession } from './sessions.ts';
import {
  type CredentialRow,
  findIdentity,
  insertConfirmedUser,
  insertIdentity,
  lockByEmail,
  updateLastLogin,
  updatePassword,
} from './user-queries.ts';

/** The second half of a login at the identity provider: the code is exchanged, and the person found, linked or created. */
export async function oauthLogin(context: AccountsContext, input: LoginInput, address: string): Promise<AuthResult> {
  const { idp, pool, clock } = context;
  const { code, originUrl } = input;
  if (!code || !idp)
    throw badRequest('code is required.', [{ field: 'code', error: 'REQUIRED', message: 'code is required.' }]);
  if (originUrl === undefined || !context.origins.isOAuthOrigin(originUrl)) throw invalid([badOrigin()]);

  const flow = await takeFlow(context, input.state, new URL(originUrl).origin, address);
  const secrets: FlowSecrets = JSON.parse(unseal(flowKey(context), flow.sealed, flow.stateHash.toString('hex')));
  const { identity, tokens } = await idp
    .exchange({ ...secrets, redirectUrl: flow.redirectUrl, code })
    .catch((error) => {
      throw error instanceof CodeRefused ? invalidField('code', 'CODE_INVALID', 'The code is not valid.') : error;
    });
  const sealed = seal(idpTokensKey(context), JSON.stringify(tokens), 'idp-tokens');
  return inTransaction(pool, async (tx) => {
    const user = await findOrLink(tx, identity, clock.seconds());
    await updateLastLogin(tx, user.id, user.passwordVersion, clock.seconds());
    return beginSession(context, tx, user, idp.name, null, sealed);
  });
}

export const idpTokensKey = ({ config }: Pick<AccountsContext, 'config'>) => deriveKey(config.secretKey, 'idp-tokens');

async function takeFlow(
  { pool, clock }: AccountsContext,
  state: string | undefined,
  origin: string,
  address: string,
): Promise<FlowRow> {
  const now = clock.seconds();
  const flow = await inTransaction(pool, (tx) =>
    state === undefined ? claimLatestFlow(tx, origin, addressKey(address), now) : claimFlow(tx, hashState(state), now),
  );
  if (!flow) throw invalidField('state', 'STATE_INVALID', 'This login was not begun here, has expired or was used.');
  if (flow.origin !== origin) throw invalid([badOrigin()]);
  return flow;
}

/**
 * By the provider's subject first. By e-mail only when the provider vouches for it; an unconfirmed account with that e-mail
 * was made by somebody who never proved the address, so it loses its password before it is handed over.
 */
async function findOrLink(tx: Tx, identity: Identity, now: number): Promise<CredentialRow> {
  const known = await findIdentity(tx, identity.issuer, identity.subject);
  if (known) return known;
  const { email } = identity;
  if (!email || !identity.emailVerified || !/^[^\s<>"(),:;\\[\]\p{Cc}]+@[^\s@]+$/u.test(email) || email.length > 254) {
    throw invalidField('email', 'NOT_CONFIRMED', 'The identity provider has not verified the e-mail.');
  }
  await insertConfirmedUser(tx, newId('usr'), email, identity.name, now);
  let user = (await lockByEmail(tx, email))!;
  if (!user.isConfirmed) {
    await updatePassword(tx, { ...user, passwordHash: null, now });
    await deleteSessionsOf(tx, user.id);
    user = (await lockByEmail(tx, email))!;
  }
  await insertIdentity(tx, identity.issuer, identity.subject, user.id, now);
  return user;
}
