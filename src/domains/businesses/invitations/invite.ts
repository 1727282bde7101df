import { consumeCallLimit } from '../../../db/call-limits.ts';
import { consumeMailLimit } from '../../../db/limits.ts';
import { type FieldError, invalid, invalidField } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { type Command, command, type Steps } from '../context.ts';
import { lockAsAdmin } from '../roles/lock.ts';
import { listRoleRows, listRolesOf } from '../roles/queries.ts';
import { requireStepUp } from '../security.ts';
import { emitInvitation } from './emit-invitation.ts';
import { invitationMail } from './mail.ts';
import { deleteExpiredInvitations, upsertInvitation } from './queries.ts';
import type { Invitation, InvitationInput, MemberExport } from './schemas.ts';
import { newToken } from './token.ts';

const INVITATION_SECONDS = 7 * 86_400;
const MAX_ROLES = 1000;

/** Emails a single-use link. It neither checks nor reveals whether an account has this email. */
export const invite = command({
  async prepare(ctx, input: InvitationInput) {
    await requireStepUp(ctx, ctx.businessId);
    await consumeInvitationLimit(ctx, input.email);
    return input;
  },
  execute: writeInvitation,
});

async function writeInvitation(ctx: Command, { email, roleIds }: InvitationInput): Promise<Invitation> {
  const { db: tx, businessId, now, caller } = ctx;
  const business = await lockAsAdmin(ctx, businessId);
  const known = new Set((await listRolesOf(tx, businessId, roleIds)).map(({ id }) => id));
  const errors = roleIds.flatMap((id, i) => (known.has(id) ? [] : [unknownRole(i)]));
  if (errors.length > 0) throw invalid(errors);
  await deleteExpiredInvitations(tx, businessId, now);
  const id = newId('inv');
  const invitation = {
    id,
    businessId,
    email,
    roleIds: [...known],
    invitedBy: caller.userId,
    createdAt: now,
    expiresAt: now + INVITATION_SECONDS,
  };
  const { token, secretHash } = newToken(businessId, id);
  await upsertInvitation(tx, invitation, secretHash);
  emitInvitation(ctx, 'invitation.created', invitation);
  const link = `${ctx.publicUrl()}/invitation?token=${token}`;
  const publicUrl = ctx.publicUrl();
  await ctx.mail(invitationMail(email, business, { invitedBy: caller.email, link, publicUrl }));
  return invitation;
}

/** Counts the email against the limits of the sender and the recipient. */
export async function consumeInvitationLimit(ctx: Steps, email: string): Promise<void> {
  await consumeCallLimit(ctx, 'mail');
  await consumeMailLimit(ctx, email);
}

/** Invites a member when importing a whole business. The caller must already have counted the email. */
export async function inviteMember(ctx: Command, { email, roles }: MemberExport): Promise<Invitation> {
  const known = await listRoleRows(ctx.db, [ctx.businessId], null, MAX_ROLES);
  const roleIds = known.filter(({ name }) => roles.includes(name)).map(({ id }) => id);
  if (roleIds.length === 0)
    throw invalidField('roles', 'NOT_FOUND', 'roles must contain the name of at least one role in this business.');
  return writeInvitation(ctx, { email, roleIds });
}

function unknownRole(i: number): FieldError {
  const field = `roleIds[${i}]`;
  return { field, error: 'NOT_FOUND', message: `${field} must be the ID of a role in this business.` };
}
