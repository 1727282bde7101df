/** Fields that several rooms have. */
import Type from 'typebox';

/** One line: what people call themselves never breaks into a mail header or a log. */
export const PersonName = Type.String({
  maxLength: 200,
  pattern: '^[^\\x00-\\x1f\\x7f]*$',
  examples: ['Ada Lovelace'],
});
export const Password = Type.String({ maxLength: 1000, examples: ['correct-horse-7'] });
export const InvitationToken = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'From the invitation, for a first login or registration while sign-up is closed.',
});
export const Link = Type.String({ maxLength: 2000, examples: ['https://shop.example'] });
export const Phone = Type.String({ maxLength: 40, description: 'E.164.', examples: ['+4915112345678'] });
export const Provider = (example: string) => Type.String({ maxLength: 64, examples: [example] });
