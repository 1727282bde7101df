/** The only source of time for the domains. Tests move it; nothing else does. */
export type Clock = { seconds(): number };

export const systemClock: Clock = { seconds: () => Math.floor(Date.now() / 1000) };
