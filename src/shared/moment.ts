const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric' };
const MOMENT: Intl.DateTimeFormatOptions = {
  ...DAY,
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'longOffset',
};

/** A date and time for people, with the offset from UTC: `17 November 2026 at 12:40:00 GMT+01:00`. */
export const formatMoment = (seconds: number, locale: Locale, timeZone?: string) =>
  format(MOMENT, seconds, locale, timeZone);

/** The date only. */
export const formatDay = (seconds: number, locale: Locale, timeZone?: string) => format(DAY, seconds, locale, timeZone);

type Locale = string | null | undefined;

function format(shown: Intl.DateTimeFormatOptions, seconds: number, locale: Locale, timeZone = 'UTC'): string {
  const [supported = 'en-GB'] = locale ? supportedLocales(locale) : [];
  return new Intl.DateTimeFormat(supported, { ...shown, timeZone }).format(seconds * 1000);
}

/** Customers can send any text as their locale. */
function supportedLocales(locale: string): string[] {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale);
  } catch {
    return [];
  }
}
