/** The only source of time in the domains, so that tests can set it. */
export type Clock = { seconds(): number; ms(): number };

export const systemClock: Clock = { seconds: () => Math.floor(Date.now() / 1000), ms: Date.now };
