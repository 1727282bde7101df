import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'biz'
  | 'col'
  | 'dlv'
  | 'ent'
  | 'key'
  | 'mail'
  | 'media'
  | 'ord'
  | 'pay'
  | 'prod'
  | 'promo'
  | 'quote'
  | 'rfd'
  | 'role'
  | 'ses'
  | 'snd'
  | 'st'
  | 'sub'
  | 'usr'
  | 'var';

let lastTime = 0;
let lastRandom = 0n;

/**
 * A prefix and 26 characters: 48 bits of time and 80 random ones. Ids made by one process grow strictly, so that sorting by
 * id is sorting by age, and neighbours in an index were written together.
 */
export function newId(prefix: IdPrefix): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    lastRandom = BigInt(`0x${randomBytes(10).toString('hex')}`) & ((1n << 79n) - 1n);
  } else {
    lastRandom += 1n + BigInt(randomBytes(4).readUInt32BE());
  }
  return `${prefix}_${encode(BigInt(lastTime), 10)}${encode(lastRandom, 16)}`;
}

function encode(value: bigint, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}
