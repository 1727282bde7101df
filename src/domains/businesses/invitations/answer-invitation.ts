import type { Db } from '../../../db/sql.ts';
import { conflict, forbidden, invalidField } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/mail/languages.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { may } from '../../../shared/security/caller.ts';
import { emailKey } from '../../../shared/text/email.ts';
import type { BusinessServices, Command } from '../context.ts';
import { findBusinessById } from '../get-business.ts';
import { lockBusiness } from '../queries.ts';
import { readerLanguage } from '../reader-language.ts';
import { emitMember } from '../roles/emit-member.ts';
import { insertMember, listRoleIdsOf, listRolesOf } from '../roles/queries.ts';
import { publishMembers } from '../roles/set-role.ts';
import { emitInvitation } from './emit-invitation.ts';
import { claimInvitationRow, findInvitation } from './queries.ts';
import type { Invitation, InvitationAnswer } from './schemas.ts';
import { readToken } from './token.ts';

type Reader = { db: Db; now: number } & BusinessServices;
type PageReader = Reader & { acceptLanguage: string };

/** The token proves ownership of the invited email. Null if the invitation is no longer open or never existed. */
export async function findOpenInvitation(ctx: Reader, token: string): Promise<Invitation | null> {
  const read = readToken(token);
  const invitation = read && (await findInvitation(ctx.db, read, ctx.now));
  return invitation && (await isSenderAllowed(ctx, invitation)) ? invitation : null;
}

/** The sender acts through the link, without a login. A sender without permissions can't let others in. */
async function isSenderAllowed(
  { db, now, businesses }: Reader,
  { invitedBy, businessId }: Invitation,
): Promise<boolean> {
  const sender = await businesses.readCaller(db, { userId: invitedBy, sessionId: null, keyId: null }, now);
  return sender !== null && may(sender, businessId, 'ADMIN');
}

type ShownInvitation = { email: string; businessName: string; language: Language; roleNames: string[] };

/** For the page that the emailed link opens. */
export async function readInvitation(ctx: PageReader, token: string): Promise<ShownInvitation | null> {
  const invitation = await findOpenInvitation(ctx, token);
  const business = invitation && (await findBusinessById(ctx, invitation.businessId));
  if (!business) return null;
  const roles = await listRolesOf(ctx.db, invitation.businessId, invitation.roleIds);
  const language = await readerLanguage(ctx, business.id);
  return { email: invitation.email, businessName: business.name, language, roleNames: roles.map(({ name }) => name) };
}

/** Accepts or declines the invitation. The caller must have the invited email. */
export async function answerInvitation(ctx: Command, { token, action }: InvitationAnswer) {
  const { caller, businessId } = ctx;
  const invitation = await claimInvitation(ctx, token);
  if (invitation.businessId !== businessId) throw invalidToken();
  if (!caller.isConfirmed || !caller.email || emailKey(caller.email) !== emailKey(invitation.email)) {
    throw forbidden('This invitation was sent to a different email address. Log in with that address.');
  }
  if (action === 'ACCEPT') await joinBusiness(ctx, invitation, caller.userId);
  else emitInvitation(ctx, 'invitation.declined', invitation);
  return SUCCESS;
}

/** Declining needs no login, because the token was sent to the invited email. */
export async function declineInvitation(ctx: Command, token: string) {
  emitInvitation(ctx, 'invitation.declined', await claimInvitation(ctx, token));
  return SUCCESS;
}

/**
 * Claims the invitation, so that it can't be used again. Locks the business first, as every change to its members does, but
 * only if the token is valid, so that strangers can't hold the lock.
 */
export async function claimInvitation(
  ctx: Pick<Command, 'db' | 'now' | 'businesses'>,
  token: string,
): Promise<Invitation> {
  const { db: tx, now } = ctx;
  const read = readToken(token);
  if (!read || !(await findInvitation(tx, read, now))) throw invalidToken();
  await lockBusiness(tx, read.businessId);
  const invitation = await claimInvitationRow(tx, read, now);
  if (!invitation || !(await isSenderAllowed(ctx, invitation))) throw invalidToken();
  return invitation;
}

/** Call it after the claim. Assigns the roles that still exist to the user. */
export async function joinBusiness(
  ctx: Pick<Command, 'db' | 'now' | 'publish' | 'emit'>,
  invitation: Invitation,
  userId: string,
): Promise<void> {
  const { businessId, roleIds } = invitation;
  const roles = await listRolesOf(ctx.db, businessId, roleIds);
  if (roles.length === 0) throw conflict('The roles in this invitation no longer exist. Ask for a new invitation.');
  const before = await listRoleIdsOf(ctx.db, businessId, userId);
  for (const { id } of roles) await insertMember(ctx.db, businessId, userId, id, ctx.now);
  emitInvitation(ctx, 'invitation.accepted', invitation);
  await emitMember(ctx, businessId, userId, before);
  await publishMembers(ctx, [userId]);
}

export const invalidToken = () =>
  invalidField('token', 'TOKEN_INVALID', 'This invitation is no longer valid. Ask for a new one.');
