import { consumeLimit } from '../../../db/limits.ts';
import { lockName } from '../../../db/lock-name.ts';
import { CodeRefused, type Identity } from '../../../providers/oauth/port.ts';
import { badRequest, forbidden, invalid } from '../../../shared/errors.ts';
import { addressKey } from '../../../shared/text/address-key.ts';
import { domainOf, isEmail } from '../../../shared/text/email.ts';
import { lockBusiness } from '../../businesses/index.ts';
import { type Command, command } from '../context.ts';
import { badOrigin } from '../oauth/check-login-urls.ts';
import { ensureConfirmedUser } from '../oauth/find-or-link.ts';
import { claimFlow, findFlow } from '../oauth/flow-queries.ts';
import { invalidCode, invalidState } from '../oauth/oauth-login.ts';
import { lockByEmail } from '../oauth/queries.ts';
import { hashSecret } from '../oauth/seals.ts';
import { type CredentialRow, updateLastLogin } from '../passwords/queries.ts';
import { findScimUser, listGroupNamesOf } from '../scim/queries.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { openSession } from '../sessions/open-session.ts';
import type { LoginInput } from '../sessions/schemas.ts';
import { type Connection, findConnection, findSsoIdentity, insertSsoIdentity, listDomains } from './queries.ts';
import { applyMappedRoles, claimValues } from './roles.ts';

/**
 * Completes a login with the single sign-on of a business. Its provider is not trusted, so it can only log in people whose email is in a
 * verified domain of the business, and the session is limited to the business: it gives no access to the account itself or to other
 * businesses.
 */
export const ssoLogin = command({
  async prepare(ctx, { code, state, originUrl }: LoginInput) {
    await consumeLimit(ctx, ctx.accounts.limits.address, addressKey(ctx.address));
    for (const [field, value] of Object.entries({ code, state })) {
      const message = `${field} is required.`;
      if (!value) throw badRequest(message, [{ field, error: 'REQUIRED', message }]);
    }
    if (originUrl === undefined || !ctx.origins.isOAuthOrigin(originUrl)) throw invalid([badOrigin()]);
    const { origin } = new URL(originUrl);
    const stateHash = hashSecret(state!);
    const flow = await findFlow(ctx.db, stateHash, 'SSO', ctx.now);
    const connection = flow && (await findConnection(ctx.db, flow.ssoBusiness!));
    if (!connection || flow.origin !== origin) throw invalidState();
    const { businessId, roleClaim } = connection;
    const provider = await ctx.accounts.ssoProvider(connection);
    const back = { redirectUrl: flow.redirectUrl, code: code!, claim: roleClaim };
    const { identity, claims, nonce } = await provider.exchange(back).catch((error) => {
      throw error instanceof CodeRefused ? invalidCode() : error;
    });
    const values = claimValues(claims[roleClaim]);
    return { flow: { nonceHash: hashSecret(nonce), stateHash, origin, ssoBusiness: businessId }, identity, values };
  },
  async execute(ctx, { flow, identity, values }) {
    const { ssoBusiness: businessId } = flow;
    if (!(await claimFlow(ctx.db, flow, ctx.now))) throw invalidCode();
    await lockBusiness(ctx.db, businessId);
    const connection = await findConnection(ctx.db, businessId);
    if (!connection || connection.issuer !== identity.issuer) throw invalidCode();
    const user = await admit(ctx, connection, identity);
    const groups = await listGroupNamesOf(ctx.db, businessId, user.id);
    if (!(await applyMappedRoles(ctx, connection, user.id, [...values, ...groups], ctx.now))) {
      throw forbidden('You have no role in this business. Ask an admin for access.');
    }
    await updateLastLogin(ctx.db, user.id, user.passwordVersion, ctx.now);
    return beginSession(ctx, { userId: user.id, provider: 'SSO', lifeSeconds: SSO_SECONDS, ssoBusiness: businessId });
  },
  afterCommit: openSession,
});

/** Limits how long people who left the company stay logged in without SCIM. */
const SSO_SECONDS = 12 * 3600;

/** Finds, links or creates the user. */
async function admit(ctx: Command, { businessId }: Connection, identity: Identity): Promise<CredentialRow> {
  const { db: tx, now } = ctx;
  const { subject, name } = identity;
  await lockName(tx, `sso ${businessId} ${subject}`);
  const verified = (await listDomains(tx, businessId)).filter(({ verifiedAt }) => verifiedAt !== null);
  const isInVerifiedDomain = (email: string | null) =>
    verified.some(({ domain }) => email !== null && domain === domainOf(email));
  const known = await findSsoIdentity(tx, businessId, subject);
  const email = known ? known.email : identity.emailVerified === false ? null : identity.email;
  if (email === null || !isEmail(email) || !isInVerifiedDomain(email)) {
    throw forbidden('Single sign-on works only for email addresses at the verified domains of the business.');
  }
  const user = known ?? (await ensureConfirmedUser(ctx, { email, name }, await lockByEmail(tx, email)));
  if (!known) await insertSsoIdentity(tx, { businessId, subject, userId: user.id, createdAt: now });
  if ((await findScimUser(tx, businessId, user.id))?.isActive === false) {
    throw forbidden('Your access to this business was deactivated.');
  }
  return user;
}
