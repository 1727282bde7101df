import { useState } from 'preact/hooks';
import { useAction } from '../load.ts';
import { Field, Problem, problemOf, Title } from '../parts.tsx';
import { navigate } from '../router.ts';
import { account, souk } from '../shop.ts';

export function LoginPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isNew, setIsNew] = useState(false);
  const [sentTo, setSentTo] = useState('');
  const { isBusy, error, run } = useAction(async () => {
    if (isNew) {
      await souk.users.register({ email, password });
      setSentTo(email);
      setIsNew(false);
    } else {
      await souk.users.login({ provider: 'EMAIL', email, password });
      navigate('/shop/orders');
    }
  });
  const logOut = useAction(async () => {
    await souk.users.logout({});
  });

  if (account.value) {
    return (
      <main id="main" class="narrow">
        <Title text="You are logged in" />
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
  const hasOwnPlace = problemOf(error, 'email') ?? problemOf(error, 'password');
  return (
    <main id="main" class="narrow">
      <Title text={isNew ? 'Create an account' : 'Log in'} />
      {sentTo && (
        <p class="notice good" role="status">
          We have sent a mail to {sentTo}. Confirm it with the link there, then log in.
        </p>
      )}
      {!hasOwnPlace && <Problem error={error} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <Field
          label="E-mail"
          type="email"
          autocomplete="email"
          value={email}
          problem={problemOf(error, 'email')}
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
            {isNew ? 'I have an account' : 'I am new here'}
          </button>
        </p>
      </form>
    </main>
  );
}
