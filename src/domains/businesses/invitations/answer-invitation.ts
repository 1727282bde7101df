import type { Db } from '../../../db/sql.ts';
import { emailKey } from '../../../shared/email.ts';
import { conflict, forbidden, invalidField } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { BusinessServices, Command } from '../context.ts';
import { findBusinessById } from '../get-business.ts';
import { lockBusiness } from '../queries.ts';
import { insertMember, listRoleIdsOf, listRolesOf } from '../roles/queries.ts';
import { publishMembers } from '../roles/set-role.ts';
import { tellMember } from '../roles/tell-member.ts';
import { claimInvitationRow, findInvitation } from './queries.ts';
import type { Invitation, InvitationAnswer } from './schemas.ts';
import { tellInvitation } from './tell-invitation.ts';
import { readToken } from './token.ts';

type Reader = { db: Db; now: number };

/** Whose address the link was mailed to: whoever has the token has proved it. Null: it is not good any more, or never was. */
export async function findOpenInvitation({ db, now }: Reader, token: string): Promise<Invitation | null> {
  const read = readToken(token);
  return read && findInvitation(db, read, now);
}

type ShownInvitation = { email: string; businessName: string; roleNames: string[] };

/** For the page that the link opens. */
export async function readInvitation(ctx: Reader & BusinessServices, token: string): Promise<ShownInvitation | null> {
  const invitation = await findOpenInvitation(ctx, token);
  const business = invitation && (await findBusinessById(ctx, invitation.businessId));
  if (!business) return null;
  const roles = await listRolesOf(ctx.db, invitation.businessId, invitation.roleIds);
  return { email: invitation.email, businessName: business.name, roleNames: roles.map(({ name }) => name) };
}

/** By the account with the e-mail that was invited. */
export async function answerInvitation(ctx: Command, { token, action }: InvitationAnswer) {
  const { caller, businessId } = ctx;
  const invitation = await claimInvitation(ctx, token);
  if (invitation.businessId !== businessId) throw tokenInvalid();
  if (!caller.isConfirmed || !caller.email || emailKey(caller.email) !== emailKey(invitation.email)) {
    throw forbidden('This invitation is for another e-mail address. Log in with the account that has it.');
  }
  if (action === 'ACCEPT') await joinBusiness(ctx, invitation, caller.userId);
  else await tellInvitation(ctx, 'invitation.declined', invitation);
  return SUCCESS;
}

/** The token came by mail to the address: that is enough to say no. */
export async function declineInvitation(ctx: Command, token: string) {
  await tellInvitation(ctx, 'invitation.declined', await claimInvitation(ctx, token));
  return SUCCESS;
}

/**
 * Uses the invitation up. Locks the business first, as everything does that changes its members; but not for a token that is
 * none, so that nobody can make a stranger's business wait.
 */
export async function claimInvitation(
  { db: tx, now }: Pick<Command, 'db' | 'now'>,
  token: string,
): Promise<Invitation> {
  const read = readToken(token);
  if (!read || !(await findInvitation(tx, read, now))) throw tokenInvalid();
  await lockBusiness(tx, read.businessId);
  const invitation = await claimInvitationRow(tx, read, now);
  if (!invitation) throw tokenInvalid();
  return invitation;
}

/** After the claim: the roles that still exist become this user's. */
export async function joinBusiness(
  ctx: Pick<Command, 'db' | 'now' | 'publish' | 'emit'>,
  invitation: Invitation,
  userId: string,
): Promise<void> {
  const { businessId, roleIds } = invitation;
  const roles = await listRolesOf(ctx.db, businessId, roleIds);
  if (roles.length === 0) throw conflict('The roles of this invitation do not exist any more. Ask for a new one.');
  const before = await listRoleIdsOf(ctx.db, businessId, userId);
  for (const { id } of roles) await insertMember(ctx.db, businessId, userId, id, ctx.now);
  await tellInvitation(ctx, 'invitation.accepted', invitation);
  await tellMember(ctx, businessId, userId, before);
  await publishMembers(ctx, [userId]);
}

export const tokenInvalid = () =>
  invalidField('token', 'TOKEN_INVALID', 'The invitation is not valid any more. Ask for a new one.');
