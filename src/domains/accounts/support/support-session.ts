/** Support access: an ADMIN views the shop as a customer. The session can only read, in one business, for half an hour. */
import { conflict, forbidden, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { findCustomer } from '../../businesses/index.ts';
import { type Command, command } from '../context.ts';
import { isActiveMember } from '../profile/delete-queries.ts';
import { endSession } from '../sessions/end-session.ts';
import { openSession } from '../sessions/open-session.ts';
import { insertSession } from '../sessions/queries.ts';
import { findSupportedUser } from './queries.ts';
import type { SupportSession } from './schemas.ts';

const SUPPORT_SECONDS = 1800;

/** Not a login of the customer: it requires no second factor and sends no email about a new device. */
export const beginSupport = command({
  async execute(ctx, customerId: string): Promise<Omit<SupportSession, 'accessToken'>> {
    const { db: tx, businessId, caller, now } = ctx;
    if (caller.sessionId === null) throw forbidden("API keys can't do this. Log in instead.");
    const customer = await findCustomer(tx, businessId, customerId);
    if (!customer) throw notFound('Customer');
    const { userId } = customer;
    if (userId === null) throw conflict('This customer has no account, so there is nothing to view.');
    if (await isActiveMember(tx, userId)) throw forbidden("Support access isn't available for members.");
    const id = newId('ses');
    const expiresAt = now + SUPPORT_SECONDS;
    await insertSession(tx, {
      id,
      userId,
      provider: 'SUPPORT',
      idpTokens: null,
      device: null,
      address: ctx.address,
      supportBusiness: businessId,
      supportBy: caller.userId,
      createdAt: now,
      lastUsedAt: now,
      expiresAt,
    });
    const data = { sessionId: id, userId, supportBy: caller.userId, expiresAt };
    ctx.emit({ type: 'support.started', entity: `user:${userId}`, data });
    ctx.emitAccount({ type: 'user.support_started', userId, data: { sessionId: id, businessId } });
    return { id, businessId, userId, supportBy: caller.userId, expiresAt };
  },
  async afterCommit(ctx, session): Promise<SupportSession> {
    const { accessToken } = await openSession(ctx, session.id);
    return { ...session, accessToken };
  },
});

/** Ends a support session of the business. A logout with the session's token also ends it. */
export async function endSupport(ctx: Command, sessionId: string): Promise<typeof SUCCESS> {
  const userId = await findSupportedUser(ctx.db, ctx.businessId, sessionId);
  if (userId === null || !(await endSession(ctx, userId, sessionId))) throw notFound('Support session');
  return SUCCESS;
}
