/** Errors of the calls that pages make in this process. */
import type { FastifyReply } from 'fastify';
import type { SoukError } from '../../client/src/index.ts';
import type { Loaded, Served, Visit } from '../../storefront/contract.ts';

const isCallError = (error: unknown): error is SoukError => error instanceof Error && error.name === 'SoukError';

/** A URL with values that the service rejects, such as a forged cursor, has no page. */
export async function loadPage(page: Served, visit: Visit): Promise<Loaded<unknown>> {
  try {
    return await page.load(visit);
  } catch (error) {
    if (isCallError(error) && (error.status === 400 || error.status === 422)) return { status: 404 };
    throw error;
  }
}

/** The page's status after a failed call. Null if the error does not come from a call, or is unexpected. */
export function refusedStatus(error: unknown, reply: FastifyReply): number | null {
  if (!isCallError(error) || error.status < 400 || error.status === 500) return null;
  if (error.retryAfterSeconds) reply.header('retry-after', error.retryAfterSeconds);
  return error.status;
}
