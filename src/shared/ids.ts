import { createHash, randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

type IdPrefix =
  | 'biz'
  | 'col'
  | 'cust'
  | 'ent'
  | 'ers'
  | 'evt'
  | 'imp'
  | 'inv'
  | 'key'
  | 'mail'
  | 'media'
  | 'ord'
  | 'pay'
  | 'prod'
  | 'promo'
  | 'quote'
  | 'reg'
  | 'rel'
  | 'rfd'
  | 'role'
  | 'ses'
  | 'snd'
  | 'st'
  | 'sub'
  | 'upl'
  | 'usr'
  | 'var'
  | 'whk';

let lastTime = 0;
let timeText = '';
/** Of the last id, in two halves of 40 bits: small enough to be plain numbers. */
let high = 0;
let low = 0;

const HALF = 2 ** 40;

/**
 * A prefix and 26 characters: 48 bits of time and 80 random ones. Ids made by one process grow strictly, so that sorting by
 * id is sorting by age, and neighbours in an index were written together.
 */
export function newId(prefix: IdPrefix): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    timeText = encode(now, 10);
    // The uppermost bit stays free, for the steps that follow in the same millisecond.
    high = randomBelow(HALF / 2);
    low = randomBelow(HALF);
  } else {
    low += 1 + randomBelow(2 ** 32);
    if (low >= HALF) {
      low -= HALF;
      high++;
    }
  }
  return `${prefix}_${timeText}${encode(high, 8)}${encode(low, 8)}`;
}

/** The id of a record that another system knows by `key`: the same each time, and of each business another one. */
export function derivedId(prefix: IdPrefix, businessId: string, key: string): string {
  const hash = createHash('sha256').update(`${businessId}\0${key}`).digest();
  let text = '';
  for (let i = 0; i < 16; i++) text += ALPHABET[hash[i]! % 32]!;
  return `${prefix}_${'0'.repeat(10)}${text}`;
}

/** What a record keeps that comes from an export of ours. */
export type FormerIdentity = {
  id?: string | undefined;
  createdAt?: number | undefined;
  updatedAt?: number | undefined;
};

/** Whether a text has the form of an id that `newId` makes. */
export const isId = (prefix: IdPrefix, text: string) =>
  text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]+$/.test(text.slice(-26));

const pool = Buffer.allocUnsafe(4080);
let used = pool.length;

/** `limit` is a power of two, at most 2^40. Random bytes are drawn many at a time. */
function randomBelow(limit: number): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 5;
  return pool.readUIntBE(used - 5, 5) % limit;
}

function encode(value: number, length: number): string {
  let text = '';
  for (let rest = value, i = 0; i < length; i++) {
    text = ALPHABET[rest % 32]! + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
