/** Fields shared by several folders of this domain. */
import Type from 'typebox';
import { BusinessId, Documented, Known, OneOf } from '../../shared/schemas.ts';

/** A single line, so that a name can't inject an email header or a log entry. */
export const PersonName = Type.String({
  maxLength: 200,
  pattern: '^[^\\x00-\\x1f\\x7f]*$',
  examples: ['Ada Lovelace'],
});
export const Password = Type.String({ maxLength: 1000, examples: ['correct-horse-7'] });
export const InvitationToken = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'The token from the invitation email. Required to register, or to log in for the first time, while registration is by invitation only.',
});
export const Link = Type.String({ maxLength: 2000, examples: ['https://shop.example'] });
/** For emails with a link that opens a storefront. */
export const StorefrontId = {
  ...BusinessId,
  description:
    "The business whose storefront makes the request. The link in the email opens its storefront: on `reserveDomain` if that is one of the storefront's hosts, otherwise under `/s/{slug}`.",
};
export const Phone = Type.String({
  maxLength: 40,
  description: 'A phone number in E.164 format.',
  examples: ['+4915112345678'],
});
const PROVIDERS = ['EMAIL', 'GUEST', 'OAUTH_IDP', 'SSO'] as const;
/** The operator's own name for the identity provider works in place of OAUTH_IDP. */
export const Provider = (names: readonly string[] = PROVIDERS) =>
  Known(names, Type.String({ maxLength: 64, examples: [names[0]] }));
/** The provider in a response. */
export const UsedProvider = Documented(
  Type.Union([OneOf(PROVIDERS), Type.String()], {
    description: 'The login provider. If `OAUTH_IDP_NAME` is set, responses contain its value in place of `OAUTH_IDP`.',
    examples: ['EMAIL'],
  }),
  Type.String(),
);
