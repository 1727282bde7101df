import { keepCart } from '../cart/cart.ts';
import { Field, FormFields, FormProblem, type Problems } from '../forms.tsx';
import { Island } from '../island.tsx';
import { PasskeyButton } from '../islands/passkey-button.tsx';
import { type Loaded, page, type Visit } from '../page.ts';
import { SecondFactor } from '../sign-in/factor-form.tsx';
import {
  attemptLogin,
  credentialIn,
  type Due,
  methodOf,
  nextOf,
  problemsOf,
  requestingSite,
} from '../sign-in/log-in.ts';
import { NewAccount } from '../sign-in/new-account.tsx';
import { requestCode } from '../sign-in/request-code.ts';
import { fill, link } from '../site.ts';

type Data = {
  email: string;
  problems: Problems;
  notice: string;
  form: 'login' | 'register';
  /** Set while the login waits for a second factor. */
  due: Due | null;
};

export default page<Data>({
  path: '/login',
  personal: true,
  async load(visit) {
    if (visit.session?.accessToken && !visit.session.isGuest) return { redirect: nextOf(visit), status: 303 };
    return show(visit, {});
  },
  actions: {
    async login(visit, form) {
      const [email, password] = [emailIn(form), form.get('password') ?? ''];
      const outcome = await attemptLogin(visit, ({ users }) => users.login({ provider: 'EMAIL', email, password }));
      return 'redirect' in outcome ? outcome : show(visit, { email, ...outcome });
    },
    async passkey(visit, form) {
      const [challenge, credential] = [form.get('challenge') ?? '', credentialIn(form) ?? {}];
      const outcome = await attemptLogin(visit, ({ users }) => users.loginWithPasskey({ challenge, credential }));
      if ('redirect' in outcome || 'due' in outcome) return 'due' in outcome ? show(visit, outcome) : outcome;
      return show(visit, { problems: { '': Object.values(outcome.problems)[0] } });
    },
    async factor(visit, form) {
      const code = form.get('code')?.trim() ?? '';
      const login = form.get('login') ?? '';
      const credential = credentialIn(form);
      const proof = credential
        ? ({ challenge: form.get('challenge') ?? '', method: 'PASSKEY', credential } as const)
        : ({ challenge: login, method: methodOf(code), code } as const);
      const outcome = await attemptLogin(visit, ({ users }) => users.loginWithSecondFactor(proof));
      if ('redirect' in outcome) return outcome;
      const { problems = {} } = 'problems' in outcome ? outcome : {};
      if (problems.challenge) return show(visit, { problems: { '': problems.challenge } });
      return show(visit, { problems, due: { challenge: login, methods: (form.get('methods') ?? '').split(' ') } });
    },
    async code(visit, form) {
      const email = emailIn(form);
      const problems = await requestCode(visit, email);
      if (problems) return show(visit, { email, problems });
      return { redirect: `/login-code${nextQuery(visit)}`, status: 303 };
    },
    async register(visit, form) {
      const email = emailIn(form);
      try {
        const password = form.get('password') ?? '';
        await visit.own().users.register({ email, password, ...requestingSite(visit) });
      } catch (error) {
        return show(visit, { email, form: 'register', problems: problemsOf(error, visit) });
      }
      return show(visit, { email, notice: fill(visit.site.texts.account.confirm, { email }) });
    },
    async forgot(visit, form) {
      const email = emailIn(form);
      try {
        await visit.own().users.forgotPassword({ email, ...requestingSite(visit) });
      } catch (error) {
        return show(visit, { email, problems: problemsOf(error, visit) });
      }
      return show(visit, { email, notice: fill(visit.site.texts.account.resetSent, { email }) });
    },
    async logout(visit) {
      await visit.souk.users.logout({}).catch(() => {});
      keepCart(visit, null);
      visit.setSession(null);
      return { redirect: '/', status: 303 };
    },
  },
  View({ data: { email, problems, notice, form, due }, site, visit: { csrf, query } }) {
    const { account: words, signIn } = site.texts;
    const next = nextQuery({ query });
    const action = link(site, `/login${next}`);
    if (due) return <SecondFactor due={due} problems={problems} action={action} csrf={csrf} site={site} />;
    const isNew = form === 'register';
    const at = (name: string, isShown: boolean) => (isShown ? problems[name] : undefined);
    const passkey = { label: signIn.passkey, action, fields: { csrf, action: 'passkey' }, hasAutofill: true };
    return (
      <main id="main" class="narrow">
        <h1>{words.logIn}</h1>
        {notice && (
          <p class="notice good" role="status">
            {notice}
          </p>
        )}
        <FormProblem text={problems['']} />
        <form action={action} method="post" class="log-in">
          <FormFields csrf={csrf} />
          <Field
            name="email"
            label={words.email}
            type="email"
            autocomplete="username webauthn"
            value={email}
            required
            problem={at('email', !isNew)}
          />
          <Field
            name="password"
            label={words.password}
            type="password"
            autocomplete="current-password"
            problem={at('password', !isNew)}
          />
          <p class="actions">
            <button type="submit" name="action" value="login">
              {words.logIn}
            </button>
            <button type="submit" name="action" value="code" class="quiet">
              {signIn.sendCode}
            </button>
            <button type="submit" name="action" value="forgot" class="quiet">
              {words.forgot}
            </button>
          </p>
        </form>
        <Island name="passkey-button" of={PasskeyButton} props={passkey} />
        {nextOf({ query }) === '/checkout' && (
          <p>
            <a href={link(site, '/checkout')} class="button quiet">
              {words.asGuest}
            </a>
          </p>
        )}
        <section class="register" aria-labelledby="register">
          <h2 id="register">{words.create}</h2>
          <form action={action} method="post">
            <FormFields csrf={csrf} action="register" />
            <NewAccount email={isNew ? email : ''} problems={isNew ? problems : {}} words={words} />
            <button type="submit">{words.create}</button>
          </form>
        </section>
      </main>
    );
  },
});

const emailIn = (form: URLSearchParams) => form.get('email')?.trim() ?? '';

function nextQuery({ query }: Pick<Visit, 'query'>): string {
  const next = query.get('next');
  return next ? `?next=${encodeURIComponent(next)}` : '';
}

function show(visit: Visit, data: Partial<Data>): Loaded<Data> {
  return {
    status: data.problems && Object.keys(data.problems).length > 0 ? 422 : 200,
    data: { email: '', problems: {}, notice: '', form: 'login', due: null, ...data },
    head: { title: visit.site.texts.account.logIn, noindex: true },
  };
}
