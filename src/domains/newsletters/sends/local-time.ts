/** The send times of an issue that is sent at each subscriber's local time. Pure. */
import { clockOf, secondsOf } from '../../../shared/wall-clock.ts';

/** The time zone that is furthest ahead. */
const FIRST_ZONE = 'Etc/GMT-14';

/** How far a time zone can be ahead of the time zone of the business. */
export const MAX_AHEAD_SECONDS = 26 * 3600;

/** When the first time zone in the world reaches the local time that `timeZone` has at `scheduledAt`. */
export const firstLocalTime = (scheduledAt: number, timeZone: string) =>
  secondsOf(clockOf(scheduledAt, timeZone), FIRST_ZONE);

export type Zones = { zones: readonly string[]; times: readonly number[] };

/** When each zone reaches that local time. */
export function localTimes(scheduledAt: number, timeZone: string, zones: readonly string[]): Zones {
  const clock = clockOf(scheduledAt, timeZone);
  return { zones, times: zones.map((zone) => secondsOf(clock, zone)) };
}
