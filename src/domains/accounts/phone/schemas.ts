import Type, { type Static } from 'typebox';
import { Input } from '../../../shared/schemas.ts';
import { Phone } from '../schemas.ts';

export const PhoneInput = Input({ phoneNumber: Phone });
export type PhoneInput = Static<typeof PhoneInput>;

export const PhoneConfirmInput = Input({
  phoneNumber: Phone,
  code: Type.String({ maxLength: 20, examples: ['123456'] }),
});
export type PhoneConfirmInput = Static<typeof PhoneConfirmInput>;
