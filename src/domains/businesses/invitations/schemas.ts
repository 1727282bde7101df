import Type, { type Static } from 'typebox';
import { BusinessId, Email, Id, Input, OneOf, Text, Timestamp } from '../../../shared/schemas.ts';

const RoleId = Type.String({ minLength: 1, maxLength: 64, examples: ['role_01jd3x8q6kz5v0n4t7w2m9c1ab'] });

export const InvitationInput = Input({ email: Email, roleIds: Type.Array(RoleId, { minItems: 1, maxItems: 20 }) });
export type InvitationInput = Static<typeof InvitationInput>;

export const Invitation = Type.Object({
  id: Id,
  businessId: BusinessId,
  email: Type.String({ examples: ['ada@example.com'] }),
  roleIds: Type.Array(RoleId),
  invitedBy: Type.String({ description: 'The ID of the user who sent the invitation.' }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type Invitation = Static<typeof Invitation>;

/** A member in the export of a whole business, with their role names. */
export const MemberExport = Input({ email: Email, roles: Type.Array(Text(200), { minItems: 1, maxItems: 20 }) });
export type MemberExport = Static<typeof MemberExport>;

export const InvitationAnswer = Input({
  token: Text(300, { description: 'The token from the invitation email.' }),
  action: OneOf(['ACCEPT', 'DECLINE']),
});
export type InvitationAnswer = Static<typeof InvitationAnswer>;
