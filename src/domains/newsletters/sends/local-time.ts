/** When the clocks of subscribers show the scheduled time. Pure. */
import { clockOf, secondsOf } from '../../../shared/wall-clock.ts';

/** The clocks that are furthest ahead. */
const FIRST_ZONE = 'Etc/GMT-14';

/** The most that a clock can be ahead of the clock of the business. */
export const MAX_AHEAD_SECONDS = 26 * 3600;

/** When the first clock on earth shows the time that `timeZone` shows at `scheduledAt`. */
export const firstLocalTime = (scheduledAt: number, timeZone: string) =>
  secondsOf(clockOf(scheduledAt, timeZone), FIRST_ZONE);

export type Zones = { zones: readonly string[]; times: readonly number[] };

/** When it is that local time in each zone. */
export function localTimes(scheduledAt: number, timeZone: string, zones: readonly string[]): Zones {
  const clock = clockOf(scheduledAt, timeZone);
  return { zones, times: zones.map((zone) => secondsOf(clock, zone)) };
}
