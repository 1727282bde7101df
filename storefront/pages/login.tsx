import { isSoukError } from '@souk/client';
import { useState } from 'preact/hooks';
import { useAction } from '../load.ts';
import { Field, Problem, problemOf, Title } from '../parts.tsx';
import { address, navigate } from '../router.ts';
import { account, souk } from '../shop.ts';
import { PasskeyButton, SecondFactor } from './second-factor.tsx';

const goOn = () => navigate(address.value.searchParams.has('checkout') ? '/shop/checkout' : '/shop/orders');

export function LoginPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isNew, setIsNew] = useState(false);
  const [mailed, setMailed] = useState('');
  const { isBusy, error, run } = useAction(async () => {
    if (isNew) {
      await souk.users.register({ email, password });
      setMailed(`We sent a confirmation link to ${email}. Confirm your email, then log in.`);
      setIsNew(false);
    } else {
      await souk.users.login({ provider: 'EMAIL', email, password });
      goOn();
    }
  });
  const forgot = useAction(async () => {
    await souk.users.forgotPassword({ email });
    setMailed(`If ${email} has an account, we sent a link to reset your password.`);
  });
  const logOut = useAction(async () => {
    await souk.users.logout({});
  });

  if (account.value) {
    return (
      <main id="main" class="narrow">
        <Title text="You're logged in" />
        <p class="actions">
          <a href="/shop/orders" class="button">
            My orders
          </a>
          <button type="button" class="quiet" onClick={() => logOut.run()}>
            Log out
          </button>
        </p>
      </main>
    );
  }
  if (isSoukError(error, 'SECOND_FACTOR_REQUIRED')) return <SecondFactor due={error} done={goOn} />;
  const shown = error ?? forgot.error;
  const fieldError = problemOf(shown, 'email') ?? problemOf(shown, 'password');
  return (
    <main id="main" class="narrow">
      <Title text={isNew ? 'Create account' : 'Log in'} />
      {mailed && (
        <p class="notice good" role="status">
          {mailed}
        </p>
      )}
      {!fieldError && <Problem error={shown} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <Field
          label="Email"
          type="email"
          autocomplete="email"
          value={email}
          problem={problemOf(shown, 'email')}
          onInput={setEmail}
        />
        <Field
          label="Password"
          type="password"
          autocomplete={isNew ? 'new-password' : 'current-password'}
          value={password}
          problem={problemOf(error, 'password')}
          onInput={setPassword}
        />
        <p class="actions">
          <button type="submit" disabled={isBusy}>
            {isNew ? 'Create account' : 'Log in'}
          </button>
          <button type="button" class="quiet" onClick={() => setIsNew(!isNew)}>
            {isNew ? 'Log in instead' : 'Create an account'}
          </button>
        </p>
      </form>
      {!isNew && <PasskeyButton done={goOn} />}
      {!isNew && (
        <p class="small">
          Forgot your password? Enter your email above, then{' '}
          <button type="button" class="as-link" onClick={() => forgot.run()}>
            get a reset link
          </button>
          .
        </p>
      )}
    </main>
  );
}
