import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in constant time, even if the lengths differ. */
export const isEqualSecret = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected));
