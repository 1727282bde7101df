import Type, { type Static } from 'typebox';
import { BusinessId, Id, Input, Nullable, OneOf, Success, Text, Timestamp } from '../../../shared/schemas.ts';
import { Password } from '../schemas.ts';

const ChallengeText = Text(20_000, { description: 'The `challenge` from the previous response.' });
const Code = Type.String({
  maxLength: 40,
  description: 'The code from the authenticator app, or a recovery code.',
  examples: ['492039'],
});
const Credential = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: "The browser's credential as JSON: `PublicKeyCredential.toJSON()`.",
});
const PasskeyName = Text(100, { pattern: '^[^\\x00-\\x1f\\x7f]*$', examples: ["Ada's phone"] });

export const Passkey = Type.Object({
  id: Id,
  name: PasskeyName,
  host: Type.String({ description: 'The host name that the passkey works for.', examples: ['shop.example'] }),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
});
export type Passkey = Static<typeof Passkey>;

export const Factors = Type.Object({
  totp: Nullable(Type.Object({ confirmedAt: Timestamp })),
  passkeys: Type.Array(Passkey),
  recoveryCodesLeft: Type.Integer({ examples: [10] }),
  hasPassword: Type.Boolean({ description: 'Whether the account has a password.' }),
});
export type Factors = Static<typeof Factors>;

/** With `startRegistration` or `startAuthentication` of `@simplewebauthn/browser`, or `navigator.credentials`. */
export const PasskeyOptions = Type.Object({
  challenge: Type.String({ description: "Send it back with the browser's response." }),
  options: Type.Object({}, { additionalProperties: true, description: 'The options for `navigator.credentials`.' }),
});
export type PasskeyOptions = Static<typeof PasskeyOptions>;

export const SiteInput = Input({
  businessId: Type.Optional({
    ...BusinessId,
    description:
      'The business whose storefront makes the request. Authenticator apps show its name, or the host name of the service if omitted.',
  }),
});
export type SiteInput = Static<typeof SiteInput>;

export const PasskeyInput = Input({ challenge: ChallengeText, credential: Credential, name: PasskeyName });
export type PasskeyInput = Static<typeof PasskeyInput>;

export const PasskeyChange = Input({ name: PasskeyName });
export const PasskeyParams = Type.Object({ id: Id });

const Codes = Type.Array(Type.String({ examples: ['h7kfm-w2xcp'] }), {
  description: 'Each works once in place of a second factor. They are shown only in this response.',
});
export const RecoveryCodes = Type.Object({ recoveryCodes: Codes });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

/** Recovery codes are returned with the first factor only. */
export const FactorAdded = Type.Object({ ...Success.properties, recoveryCodes: Codes });
export type FactorAdded = Static<typeof FactorAdded>;
export const AddedPasskey = Type.Object({ ...Passkey.properties, recoveryCodes: Codes });
export type AddedPasskey = Static<typeof AddedPasskey>;

export const TotpSetup = Type.Object({
  secret: Type.String({ description: 'The secret in Base32, for manual entry.', examples: ['JBSWY3DPEHPK3PXP'] }),
  uri: Type.String({
    description: 'The secret as an `otpauth:` URI, to show as a QR code.',
    examples: ['otpauth://totp/Tea%20House:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Tea%20House'],
  }),
});
export type TotpSetup = Static<typeof TotpSetup>;

export const TotpConfirmInput = Input({ code: Code });

export const SecondFactorInput = Input({
  challenge: ChallengeText,
  method: OneOf(['PASSKEY', 'TOTP', 'RECOVERY_CODE']),
  code: Type.Optional(Code),
  credential: Type.Optional(Credential),
});
export type SecondFactorInput = Static<typeof SecondFactorInput>;

export const PasskeyLoginOptionsInput = Input({
  challenge: Type.Optional(
    Text(20_000, { description: 'The `challenge` of a login, to use the passkey as its second factor.' }),
  ),
});
export const PasskeyLoginInput = Input({ challenge: ChallengeText, credential: Credential });
export type PasskeyLoginInput = Static<typeof PasskeyLoginInput>;

export const StepUpInput = Input({
  challenge: ChallengeText,
  method: OneOf(['PASSKEY', 'TOTP', 'RECOVERY_CODE', 'PASSWORD']),
  code: Type.Optional(Code),
  credential: Type.Optional(Credential),
  password: Type.Optional(Password),
});
export type StepUpInput = Static<typeof StepUpInput>;

export const StepUp = Type.Object({
  token: Type.String({ description: 'Send it in the `Souk-Step-Up` header of requests in this session.' }),
  expiresAt: Timestamp,
});
export type StepUp = Static<typeof StepUp>;
