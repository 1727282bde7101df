const SHOWN: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'longOffset',
};

/** A date and time for people, with the offset from UTC: `17 November 2026 at 12:40:00 GMT+01:00`. */
export function formatMoment(seconds: number, locale: string | null | undefined, timeZone = 'UTC'): string {
  const [supported = 'en-GB'] = locale ? supportedLocales(locale) : [];
  return new Intl.DateTimeFormat(supported, { ...SHOWN, timeZone }).format(seconds * 1000);
}

/** Customers can send any text as their locale. */
function supportedLocales(locale: string): string[] {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale);
  } catch {
    return [];
  }
}
