import { createHash, randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

type IdPrefix =
  | 'aut'
  | 'biz'
  | 'bst'
  | 'cat'
  | 'cart'
  | 'col'
  | 'cust'
  | 'doc'
  | 'ent'
  | 'ers'
  | 'evt'
  | 'grp'
  | 'imp'
  | 'inv'
  | 'key'
  | 'line'
  | 'mail'
  | 'media'
  | 'note'
  | 'ord'
  | 'pay'
  | 'pky'
  | 'prod'
  | 'promo'
  | 'quote'
  | 'rdr'
  | 'reg'
  | 'rel'
  | 'rfd'
  | 'role'
  | 'form'
  | 'seg'
  | 'ses'
  | 'ret'
  | 'shp'
  | 'snd'
  | 'st'
  | 'step'
  | 'sub'
  | 'sup'
  | 'task'
  | 'upl'
  | 'usr'
  | 'var'
  | 'whk';

let lastTime = 0;
let timeText = '';
/** The random part of the last ID, as two halves of 40 bits that fit into plain numbers. */
let high = 0;
let low = 0;

const HALF = 2 ** 40;

/**
 * A prefix and 26 characters: 48 bits of time and 80 random bits. IDs of one process strictly increase, so records sort by age, and
 * index entries written together are next to each other.
 */
export function newId(prefix: IdPrefix): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    timeText = encode(now, 10);
    // Leaves the top bit free for increments within the same millisecond.
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

/** The ID of a record that has the ID `key` in another system: always the same within a business, different in each business. */
export function derivedId(prefix: IdPrefix, businessId: string, key: string): string {
  const hash = createHash('sha256').update(`${businessId}\0${key}`).digest();
  let text = '';
  for (let i = 0; i < 16; i++) text += ALPHABET[hash[i]! % 32]!;
  return `${prefix}_${'0'.repeat(10)}${text}`;
}

/** Fields that an imported record keeps from its export. */
export type PreviousIdentity = {
  id?: string | undefined;
  createdAt?: number | undefined;
  updatedAt?: number | undefined;
};

/** True if the text has the format of an ID from `newId`. */
export const isId = (prefix: IdPrefix, text: string) =>
  text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]+$/.test(text.slice(-26));

/** The ID that an imported record had, or a new one if it had none of ours. */
export const keptId = (prefix: IdPrefix, id: string | undefined) =>
  id !== undefined && isId(prefix, id) ? id : newId(prefix);

const pool = Buffer.allocUnsafe(4080);
let used = pool.length;

/** `limit` is a power of two, at most 2^40. Draws random bytes in bulk. */
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
