const FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats Unix seconds as a date, such as "May 1, 2026". */
export const dayOf = (seconds: number) => FORMAT.format(new Date(seconds * 1000));
