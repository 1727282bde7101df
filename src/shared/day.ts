/** By language and time zone. Only the service's languages and the time zones of its businesses are used. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_CACHED = 200;

function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, options]);
  const found = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  if (formats.size < MAX_CACHED) formats.set(key, found);
  return found;
}

/** Formats Unix seconds as a date, such as "May 1, 2026". */
export const dayOf = (seconds: number, language: string, timeZone: string) =>
  format(language, { dateStyle: 'long', timeZone }).format(seconds * 1000);

/** Formats Unix seconds as a date and time with its zone, such as "May 1, 2026 at 2:05 PM GMT+2". */
export const timeOf = (seconds: number, language: string, timeZone: string) =>
  format(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(seconds * 1000);
