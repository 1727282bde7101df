/** Loaded into a service process. Shifts its clock by the seconds in the file CHAOS_CLOCK, which it reads on SIGUSR2. */
import { readFileSync } from 'node:fs';

const Actual = Date;
let offsetMs = 0;

globalThis.Date = class extends Actual {
  constructor(...values: ConstructorParameters<typeof Date> | []) {
    if (values.length === 0) super(Actual.now() + offsetMs);
    else super(...values);
  }
  static override now(): number {
    return Actual.now() + offsetMs;
  }
} as DateConstructor;

process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(process.env.CHAOS_CLOCK!, 'utf8')) * 1000;
});
