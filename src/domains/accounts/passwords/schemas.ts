import Type, { type Static } from 'typebox';
import { Email, Input, RequiredByUseCase, Text } from '../../../shared/schemas.ts';
import { InvitationToken, Link, Password, PersonName, Provider, StorefrontId } from '../schemas.ts';

const MailToken = Text(2000, { description: 'The token from the email.' });

export const RegisterInput = Input({
  provider: Type.Optional({
    ...Provider(['EMAIL_REGISTER', 'EMAIL']),
    description: '`EMAIL_REGISTER` is an alias of `EMAIL`.',
  }),
  email: Email,
  password: RequiredByUseCase(Password),
  reserveDomain: Type.Optional(Link),
  businessId: Type.Optional(StorefrontId),
  name: Type.Optional(PersonName),
  firstName: Type.Optional(PersonName),
  lastName: Type.Optional(PersonName),
  invitationToken: Type.Optional(InvitationToken),
});
export type RegisterInput = Static<typeof RegisterInput>;

export const ConfirmInput = Input({ token: MailToken });

export const ForgotInput = Input({
  email: Email,
  reserveDomain: Type.Optional(Link),
  businessId: Type.Optional(StorefrontId),
});
export type ForgotInput = Static<typeof ForgotInput>;

export const ResetForgottenInput = Input({ token: MailToken, password: RequiredByUseCase(Password) });
export type ResetForgottenInput = Static<typeof ResetForgottenInput>;

export const ResetInput = Input({ oldPassword: RequiredByUseCase(Password), newPassword: RequiredByUseCase(Password) });
export type ResetInput = Static<typeof ResetInput>;
