/** Clients that misbehave, by name. */
import type { Attack } from './clients.ts';
import { FLOODS } from './floods.ts';
import { POISON } from './poison.ts';

export const ATTACKS: readonly Attack[] = [...FLOODS, ...POISON];
