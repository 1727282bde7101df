import type { StepsOf } from '../../../context/index.ts';
import { spendLimit } from '../../../db/call-limits.ts';
import { spendMail } from '../../../db/limits.ts';
import { type FieldError, invalid, invalidField, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import type { BusinessServices, Command, Steps } from '../context.ts';
import { lockBusiness } from '../queries.ts';
import { listRoleRows, listRolesOf } from '../roles/queries.ts';
import { invitationMail } from './mail.ts';
import { deleteExpiredInvitations, upsertInvitation } from './queries.ts';
import type { Invitation, InvitationInput, MemberExport } from './schemas.ts';
import { tellInvitation } from './tell-invitation.ts';
import { newToken } from './token.ts';

const INVITATION_SECONDS = 7 * 86_400;
const MAX_ROLES = 1000;

/** Mails a link that is good once. Whether somebody with this address has an account is neither asked nor told. */
export const invite: StepsOf<BusinessServices, InvitationInput, void, Invitation, Invitation> = {
  prepare: (ctx, { email }) => spendInvitation(ctx, email),
  async execute(ctx, { email, roleIds }) {
    const { db: tx, businessId, now, caller } = ctx;
    const business = await lockBusiness(tx, businessId);
    if (!business) throw notFound('Business');
    const known = new Set((await listRolesOf(tx, businessId, roleIds)).map(({ id }) => id));
    const errors = roleIds.flatMap((id, i) => (known.has(id) ? [] : [noSuchRole(i)]));
    if (errors.length > 0) throw invalid(errors);
    await deleteExpiredInvitations(tx, businessId, now);
    const id = newId('inv');
    const invitation = {
      ...{ id, businessId, email, roleIds: [...known], invitedBy: caller.userId },
      ...{ createdAt: now, expiresAt: now + INVITATION_SECONDS },
    };
    const { token, secretHash } = newToken(businessId, id);
    await upsertInvitation(tx, invitation, secretHash);
    await tellInvitation(ctx, 'invitation.created', invitation);
    const link = `${ctx.publicUrl()}/invitation?token=${token}`;
    await ctx.mail(invitationMail(email, { businessName: business.name, invitedBy: caller.email, link }));
    return invitation;
  },
};

/** Counts the mail, for who sends it and for who gets it. */
export async function spendInvitation(ctx: Steps, email: string): Promise<void> {
  await spendLimit(ctx, 'mail');
  await spendMail(ctx, email);
}

/** A member whom a whole business brings along: as everybody else, they join by themselves. Its mail is counted. */
export async function inviteMember(ctx: Command, { email, roles }: MemberExport): Promise<Invitation> {
  const known = await listRoleRows(ctx.db, [ctx.businessId], null, MAX_ROLES);
  const roleIds = known.filter(({ name }) => roles.includes(name)).map(({ id }) => id);
  if (roleIds.length === 0) throw invalidField('roles', 'NOT_FOUND', 'roles names no role of this business.');
  return (await invite.execute(ctx, { email, roleIds }, undefined)) as Invitation;
}

function noSuchRole(i: number): FieldError {
  const field = `roleIds[${i}]`;
  return { field, error: 'NOT_FOUND', message: `${field} names no role of this business.` };
}
