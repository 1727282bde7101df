import { isSoukError } from '@souk/client';
import { keepCart, mergeCarts } from '../cart/cart.ts';
import { problemTexts } from '../cart/problem-text.ts';
import { Field, FormFields, FormProblem, type Problems } from '../forms.tsx';
import { type Loaded, page, type Visit } from '../page.ts';
import { fill, link } from '../site.ts';

type Data = {
  email: string;
  problems: Problems;
  notice: string;
  form: 'login' | 'register';
  /** Set while the login waits for a code. */
  challenge: string;
  /** Whether an authenticator app can give the code. Otherwise only a recovery code works. */
  hasApp: boolean;
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
      const [email, password] = [form.get('email')?.trim() ?? '', form.get('password') ?? ''];
      const before = visit.session;
      try {
        await visit.begin();
        await visit.souk.users.login({ provider: 'EMAIL', email, password });
      } catch (error) {
        visit.setSession(before);
        if (isSoukError(error, 'SECOND_FACTOR_REQUIRED')) {
          return show(visit, { challenge: error.challenge ?? '', hasApp: error.methods.includes('TOTP') });
        }
        return refuse(visit, error, { email, form: 'login' });
      }
      await mergeCarts(visit);
      return { redirect: nextOf(visit), status: 303 };
    },
    async factor(visit, form) {
      const [challenge, code] = [form.get('challenge') ?? '', form.get('code')?.trim() ?? ''];
      const method = /^\d{6}$/.test(code) ? 'TOTP' : 'RECOVERY_CODE';
      const before = visit.session;
      try {
        await visit.begin();
        await visit.souk.users.loginWithSecondFactor({ challenge, method, code });
      } catch (error) {
        visit.setSession(before);
        const isExpired = isSoukError(error) && error.details.some(({ field }) => field === 'challenge');
        return refuse(visit, error, isExpired ? {} : { challenge, hasApp: form.get('app') === 'yes' });
      }
      await mergeCarts(visit);
      return { redirect: nextOf(visit), status: 303 };
    },
    async register(visit, form) {
      const [email, password] = [form.get('email')?.trim() ?? '', form.get('password') ?? ''];
      try {
        await visit.souk.users.register({ email, password });
      } catch (error) {
        return refuse(visit, error, { email, form: 'register' });
      }
      return show(visit, { email, notice: fill(visit.site.texts.account.confirm, { email }) });
    },
    async forgot(visit, form) {
      const email = form.get('email')?.trim() ?? '';
      try {
        await visit.souk.users.forgotPassword({ email });
      } catch (error) {
        return refuse(visit, error, { email, form: 'login' });
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
  View({ data: { email, problems, notice, form, challenge, hasApp }, site, visit: { csrf, query } }) {
    const { account: words } = site.texts;
    const next = query.get('next') === 'checkout' ? '?next=checkout' : '';
    if (challenge) {
      return (
        <main id="main" class="narrow">
          <h1>{words.confirmTitle}</h1>
          <p>{hasApp ? words.confirmByApp : words.confirmByRecovery}</p>
          <FormProblem text={problems['']} />
          <form action={link(site, `/login${next}`)} method="post">
            <FormFields csrf={csrf} action="factor" />
            <input type="hidden" name="challenge" value={challenge} />
            <input type="hidden" name="app" value={hasApp ? 'yes' : ''} />
            <Field name="code" label={words.code} autocomplete="one-time-code" required problem={problems.code} />
            <button type="submit">{words.logIn}</button>
          </form>
        </main>
      );
    }
    const isNew = form === 'register';
    const at = (name: string, isShown: boolean) => (isShown ? problems[name] : undefined);
    return (
      <main id="main" class="narrow">
        <h1>{words.logIn}</h1>
        {notice && (
          <p class="notice good" role="status">
            {notice}
          </p>
        )}
        <FormProblem text={problems['']} />
        <form action={link(site, `/login${next}`)} method="post">
          <FormFields csrf={csrf} />
          <Field
            name="email"
            label={words.email}
            type="email"
            autocomplete="email"
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
            <button type="submit" name="action" value="forgot" class="quiet">
              {words.forgot}
            </button>
          </p>
        </form>
        {next && (
          <p>
            <a href={link(site, '/checkout')} class="button quiet">
              {words.asGuest}
            </a>
          </p>
        )}
        <section class="register" aria-labelledby="register">
          <h2 id="register">{words.create}</h2>
          <form action={link(site, `/login${next}`)} method="post">
            <FormFields csrf={csrf} action="register" />
            <NewAccount email={isNew ? email : ''} problems={isNew ? problems : {}} words={words} />
            <button type="submit">{words.create}</button>
          </form>
        </section>
      </main>
    );
  },
});

type NewAccountProps = { email: string; problems: Problems; words: { email: string; password: string; hint: string } };

const NewAccount = ({ email, problems, words }: NewAccountProps) => (
  <>
    <div class="field">
      <label for="new-email">{words.email}</label>
      <input
        id="new-email"
        name="email"
        type="email"
        autocomplete="email"
        required
        value={email}
        aria-invalid={problems.email ? true : undefined}
        aria-describedby="new-email-problem"
      />
      <p id="new-email-problem" class="field-error">
        {problems.email}
      </p>
    </div>
    <div class="field">
      <label for="new-password">{words.password}</label>
      <input
        id="new-password"
        name="password"
        type="password"
        autocomplete="new-password"
        required
        aria-invalid={problems.password ? true : undefined}
        aria-describedby="new-password-hint new-password-problem"
      />
      <p id="new-password-hint" class="field-hint">
        {words.hint}
      </p>
      <p id="new-password-problem" class="field-error">
        {problems.password}
      </p>
    </div>
  </>
);

const nextOf = ({ query }: Visit) => (query.get('next') === 'checkout' ? '/checkout' : '/account');

function show(visit: Visit, data: Partial<Data>): Loaded<Data> {
  return {
    status: data.problems ? 422 : 200,
    data: { email: '', problems: {}, notice: '', form: 'login', challenge: '', hasApp: false, ...data },
    head: { title: visit.site.texts.account.logIn, noindex: true },
  };
}

function refuse(visit: Visit, error: unknown, data: Partial<Data>): Loaded<Data> {
  if (!isSoukError(error)) throw error;
  const { texts } = visit.site;
  const problems = error.details.length > 0 ? problemTexts(error.details, texts) : { '': texts.errors.failed };
  return show(visit, { ...data, problems });
}
