/** Every way to log in ends here. */
import { type Client, isSoukError } from '@souk/client';
import { mergeCarts } from '../cart/cart.ts';
import { problemTexts } from '../cart/problem-text.ts';
import type { Problems } from '../forms.tsx';
import type { Redirect, Visit } from '../page.ts';

/** A login that waits for a second factor. */
export type Due = { challenge: string; methods: string[] };
type Outcome = Redirect | { due: Due } | { problems: Problems };

export async function attemptLogin(visit: Visit, logIn: (souk: Client) => Promise<unknown>): Promise<Outcome> {
  try {
    await logIn(visit.own());
  } catch (error) {
    if (!isSoukError(error)) throw error;
    if (error.error === 'SECOND_FACTOR_REQUIRED')
      return { due: { challenge: error.challenge!, methods: error.methods } };
    return { problems: problemsOf(error, visit) };
  }
  await mergeCarts(visit);
  return { redirect: nextOf(visit), status: 303 };
}

/** For emails with links: they open this site again. */
export const requestingSite = ({ site: { origin, businessId } }: Visit) => ({ reserveDomain: origin, businessId });

/** The errors from a call, by field. Rethrows server errors. */
export function problemsOf(error: unknown, { site: { texts } }: Visit): Problems {
  if (!isSoukError(error) || error.status >= 500) throw error;
  if (error.status === 429) return { '': texts.errors.tooMany };
  return error.details.length > 0 ? problemTexts(error.details, texts) : { '': texts.errors.failed };
}

/** The page to open after the login: a path of this site. */
export function nextOf({ query }: Pick<Visit, 'query'>): string {
  const next = query.get('next') ?? '';
  if (next === 'checkout') return '/checkout';
  return /^\/[\w-]/.test(next) ? next : '/account';
}

/** A six-digit code comes from the app. */
export const methodOf = (code: string) => (/^\d{6}$/.test(code) ? 'TOTP' : 'RECOVERY_CODE');

/** The credential of a passkey, as the browser returned it. */
export function credentialIn(form: URLSearchParams): Record<string, unknown> | null {
  try {
    return JSON.parse(form.get('credential') ?? 'null');
  } catch {
    return null;
  }
}
