import { stepUpRequired } from '../errors.ts';
import type { Caller } from './caller.ts';
import { createChallenges } from './challenges.ts';
import { deriveKey } from './secrets.ts';
import { createSigner } from './signing.ts';

/** How long a step-up lasts. */
const STEP_UP_SECONDS = 300;

type Request = { caller: Caller; now: number; stepUp: string };

/** Step-up: sensitive actions require a session to authenticate again. The token is bound to the session and needs no database read. */
export function createStepUps(secretKey: string) {
  const signer = createSigner(deriveKey(secretKey, 'step-up'));
  const challenges = createChallenges(secretKey);
  const signed = (sessionId: string, expiresAt: number) => `${sessionId}\n${expiresAt}`;

  function isFresh({ caller, now, stepUp }: Request): boolean {
    const [expiresAt = '', signature = ''] = stepUp.split('.');
    if (Number(expiresAt) > now) return signer.verify(signed(caller.sessionId ?? '', Number(expiresAt)), signature);
    return methodsOf(caller)[0] === 'LOGIN' && caller.factors.loggedInAt > now - STEP_UP_SECONDS;
  }

  return {
    issue(sessionId: string, nowSeconds: number): { token: string; expiresAt: number } {
      const expiresAt = nowSeconds + STEP_UP_SECONDS;
      return { token: `${expiresAt}.${signer.sign(signed(sessionId, expiresAt))}`, expiresAt };
    },
    /** Throws 403 STEP_UP_REQUIRED unless the session completed a step-up in the last few minutes. */
    require(request: Request): void {
      if (isFresh(request)) return;
      const { userId, sessionId } = request.caller;
      const challenge = challenges.issue('STEP_UP', { userId, sessionId: sessionId ?? '' }, request.now);
      throw stepUpRequired({ challenge, methods: methodsOf(request.caller) });
    },
  };
}

export type StepUps = ReturnType<typeof createStepUps>;

/** An account without second factors uses its password or, if it logs in without one, a recent login. */
export function methodsOf({ factors, provider }: Caller): string[] {
  if (factors.methods.length > 0) return [...factors.methods, 'RECOVERY_CODE'];
  return [provider === 'EMAIL' && factors.hasPassword ? 'PASSWORD' : 'LOGIN'];
}
