let counter = 0;
const processPart = `${Date.now().toString(36)}${process.pid.toString(36)}`;

/** Uses the client's request ID if it is safe to log. */
export function requestId(sent?: string | string[]): string {
  if (typeof sent === 'string' && /^[\w.-]{1,64}$/.test(sent)) return sent;
  counter = (counter + 1) % Number.MAX_SAFE_INTEGER;
  return `req-${processPart}-${counter.toString(36)}`;
}
