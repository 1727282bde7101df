import Type, { type Static } from 'typebox';
import { Demanded, Email, Input, Text } from '../../../shared/schemas.ts';
import { InvitationToken, Link, Password, PersonName, Provider } from '../schemas.ts';

const MailToken = Text(2000, { description: 'The token from the email.' });

export const RegisterInput = Input({
  provider: Type.Optional(Provider(['EMAIL_REGISTER', 'EMAIL'])),
  email: Email,
  password: Demanded(Password),
  reserveDomain: Type.Optional(Link),
  name: Type.Optional(PersonName),
  firstName: Type.Optional(PersonName),
  lastName: Type.Optional(PersonName),
  invitationToken: Type.Optional(InvitationToken),
});
export type RegisterInput = Static<typeof RegisterInput>;

export const ConfirmInput = Input({ token: MailToken });

export const ForgotInput = Input({ email: Email, reserveDomain: Type.Optional(Link) });
export type ForgotInput = Static<typeof ForgotInput>;

export const ResetForgottenInput = Input({ token: MailToken, password: Demanded(Password) });
export type ResetForgottenInput = Static<typeof ResetForgottenInput>;

export const ResetInput = Input({ oldPassword: Demanded(Password), newPassword: Demanded(Password) });
export type ResetInput = Static<typeof ResetInput>;
