import Type from 'typebox';
import { Id } from '../../shared/schemas.ts';
import { Customer } from './customers/schemas.ts';
import { Invitation } from './invitations/schemas.ts';
import { MailTemplate } from './mail-templates/schemas.ts';
import { Business, Role } from './schemas.ts';
import { Sender } from './senders/schemas.ts';
import { Host } from './storefront/schemas.ts';

export const VerifiedHost = Type.Object({ id: Id, host: Host });
const { address, domain, isVerified } = Sender.properties;
export const SenderState = Type.Object({ id: Id, address, domain, isVerified });
export const MailTemplateText = Type.Pick(MailTemplate, ['kind', 'locale', 'subject', 'body', 'customized']);
export const MemberRoles = Type.Object({ userId: Id, roleIds: Type.Array(Id) });

/** The data of each event type. */
export const businessEvents = {
  'customer.created': Customer,
  'customer.updated': Customer,
  'customer.deleted': Customer,
  'business.created': Business,
  'business.updated': Business,
  'business.deleted': Business,
  'business.host_verified': VerifiedHost,
  'business.sender_updated': SenderState,
  'business.sender_checked': SenderState,
  'mail_template.updated': MailTemplateText,
  'mail_template.deleted': MailTemplateText,
  'role.created': Role,
  'role.updated': Role,
  'role.deleted': Role,
  'member.added': MemberRoles,
  'member.accepted': MemberRoles,
  'member.removed': MemberRoles,
  'invitation.created': Invitation,
  'invitation.accepted': Invitation,
  'invitation.declined': Invitation,
  'invitation.revoked': Invitation,
};
