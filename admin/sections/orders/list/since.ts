const DAY_SECONDS = 86_400;

/** The filter for orders of the last few days. */
export const since = (days: string | undefined) =>
  days ? { createdFrom: Math.floor(Date.now() / 1000) - Number(days) * DAY_SECONDS } : {};
