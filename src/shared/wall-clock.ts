/** Converts between times and the local time in a time zone. Pure. */
const DAY_MS = 86_400_000;

/** The time on the clock, as milliseconds since 1970 on that clock. */
export function clockOf(seconds: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = Object.fromEntries(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!);
}

/** When the clock shows this time. If that happens twice, the first occurrence; if the clock skips this time, the moment of the change. */
export function secondsOf(clock: number, timeZone: string): number {
  const guesses = [clock - DAY_MS, clock + DAY_MS].map((near) => {
    const offset = clockOf(near / 1000, timeZone) - near;
    return (clock - offset) / 1000;
  });
  const exact = guesses.filter((guess) => clockOf(guess, timeZone) === clock);
  return exact.length > 0 ? Math.min(...exact) : guesses[0]!;
}
