/** The second step of a login, and the login with a passkey. */
import type { SoukError } from '@souk/client';
import { useState } from 'preact/hooks';
import { useAction } from '../load.ts';
import { Field, Problem, problemOf, Title } from '../parts.tsx';
import { souk } from '../shop.ts';

/** Browsers bind passkeys to a host name, so there are none at an IP address. */
const hasPasskeys = 'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(location.hostname);

/** The library is loaded on first use. */
async function signWithPasskey(options: object): Promise<Record<string, unknown>> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return { ...(await startAuthentication({ optionsJSON: options as Options })) };
}

export function PasskeyButton({ done }: { done: () => void }) {
  const { run, isBusy, error } = useAction(async () => {
    const { challenge, options } = await souk.users.getPasskeyLoginOptions({});
    await souk.users.loginWithPasskey({ challenge, credential: await signWithPasskey(options) });
    done();
  });
  if (!hasPasskeys) return null;
  return (
    <>
      <Problem error={error} />
      <button type="button" class="quiet" disabled={isBusy} onClick={() => run()}>
        Log in with a passkey
      </button>
    </>
  );
}

export function SecondFactor({ due, done }: { due: SoukError; done: () => void }) {
  const challenge = due.challenge ?? '';
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(!due.methods.includes('TOTP'));
  const byCode = useAction(async () => {
    await souk.users.loginWithSecondFactor({ challenge, method: isRecovery ? 'RECOVERY_CODE' : 'TOTP', code });
    done();
  });
  const byPasskey = useAction(async () => {
    const asked = await souk.users.getPasskeyLoginOptions({ challenge });
    const credential = await signWithPasskey(asked.options);
    await souk.users.loginWithSecondFactor({ challenge: asked.challenge, method: 'PASSKEY', credential });
    done();
  });
  const problem = problemOf(byCode.error, 'code');
  return (
    <main id="main" class="narrow">
      <Title text="Confirm that it's you" />
      {!problem && <Problem error={byCode.error ?? byPasskey.error} />}
      {hasPasskeys && due.methods.includes('PASSKEY') && (
        <p class="actions">
          <button type="button" disabled={byPasskey.isBusy} onClick={() => byPasskey.run()}>
            Use passkey
          </button>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          byCode.run();
        }}
      >
        <Field
          label={isRecovery ? 'Recovery code' : 'Code from your authenticator app'}
          autocomplete="one-time-code"
          value={code}
          problem={problem}
          onInput={setCode}
        />
        <p class="actions">
          <button type="submit" disabled={byCode.isBusy}>
            Continue
          </button>
          {due.methods.includes('TOTP') && (
            <button type="button" class="quiet" onClick={() => setRecovery(!isRecovery)}>
              {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
            </button>
          )}
        </p>
      </form>
    </main>
  );
}
