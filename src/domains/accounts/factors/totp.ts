/** Authenticator app codes: RFC 6238 with SHA-1, 6 digits and 30 seconds, which every app supports. */
import { createHmac, randomBytes } from 'node:crypto';

const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = () => encodeBase32(randomBytes(SECRET_BYTES));

/** The link in the QR code. The issuer must not contain a colon, which separates it from the account. */
export function totpUri(secret: string, account: string, issuer: string): string {
  const name = encodeURIComponent(issuer.replaceAll(':', ' '));
  return `otpauth://totp/${name}:${encodeURIComponent(account)}?secret=${secret}&issuer=${name}`;
}

/** The code of one time step: RFC 4226. */
export function codeAt(secret: string, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 0xf) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export const stepAt = (nowSeconds: number) => Math.floor(nowSeconds / STEP_SECONDS);

/** The time step of the code, or null if it is wrong. The phone's clock may be one step off. */
export function findStep(secret: string, code: string, nowSeconds: number): number | null {
  const now = stepAt(nowSeconds);
  return [now, now - 1, now + 1].find((step) => codeAt(secret, step) === code) ?? null;
}

function encodeBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return bits.replace(/.{5}/g, (group) => ALPHABET[Number.parseInt(group, 2)]!);
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
