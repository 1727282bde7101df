import Type, { type Static } from 'typebox';
import { BusinessId, Email, Input, Text } from '../../../shared/schemas.ts';
import { InvitationToken, Link } from '../schemas.ts';
import { AuthResult } from '../sessions/schemas.ts';

const Challenge = Text(100, {
  description:
    'Keep it in the browser that requested the code, and send it with the code. The code works only with this challenge.',
});

export const CodeLoginInput = Input(
  {
    email: Email,
    code: Type.Optional(Text(20, { description: 'The emailed code. Omit it to request one.', examples: ['123456'] })),
    challenge: Type.Optional(Challenge),
    reserveDomain: Type.Optional({
      ...Link,
      description: 'The site that the link in the email opens, if it is one of the allowed origins.',
    }),
    businessId: Type.Optional({
      ...BusinessId,
      description:
        'The business whose storefront requests the code. The email shows its name, and the link opens its storefront: on `reserveDomain`, or under `/s/{slug}`. The link points to a storefront host only if `STOREFRONT_HOSTS` is `trust` or `ALLOWED_ORIGINS` includes the host.',
    }),
    invitationToken: Type.Optional(InvitationToken),
  },
  { examples: [{ email: 'ada@example.com' }] },
);
export type CodeLoginInput = Static<typeof CodeLoginInput>;

/** A request for a code returns `challenge`; a login returns the tokens. */
export const CodeLoginResult = Type.Object(
  { challenge: Type.Optional(Challenge), ...Type.Partial(AuthResult).properties },
  { description: 'The challenge, or the tokens of the session' },
);
export type CodeLoginResult = Static<typeof CodeLoginResult>;
