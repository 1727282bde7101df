const FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Unix seconds as people read a day. */
export const dayOf = (seconds: number) => FORMAT.format(new Date(seconds * 1000));
