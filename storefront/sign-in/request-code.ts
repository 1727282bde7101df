import type { Problems } from '../forms.tsx';
import type { Visit } from '../page.ts';
import { problemsOf, requestingSite } from './log-in.ts';

/** Emails a login code and keeps its challenge in this browser: the code works in no other. Returns the errors, or null. */
export async function requestCode(visit: Visit, email: string): Promise<Problems | null> {
  try {
    const { challenge = '' } = await visit.own().users.codeLogin({ email, ...requestingSite(visit) });
    visit.setSession({ ...visit.session, code: { email, challenge } });
    return null;
  } catch (error) {
    return problemsOf(error, visit);
  }
}
