import { Field, FormFields, FormProblem, type Problems } from '../forms.tsx';
import { Island } from '../island.tsx';
import { CodeLink } from '../islands/code-link.tsx';
import { type Loaded, page, type Visit } from '../page.ts';
import { SecondFactor } from '../sign-in/factor-form.tsx';
import { attemptLogin, type Due, nextOf } from '../sign-in/log-in.ts';
import { requestCode } from '../sign-in/request-code.ts';
import { fill, link } from '../site.ts';

/** `email`: empty if this browser has requested no code. */
type Data = { email: string; problems: Problems; due: Due | null };

/** The link in the email opens this page. */
export default page<Data>({
  path: '/login-code',
  personal: true,
  async load(visit) {
    if (visit.session?.accessToken && !visit.session.isGuest) return { redirect: nextOf(visit), status: 303 };
    return show(visit, {});
  },
  actions: {
    async login(visit, form) {
      const { code: requested, ...session } = visit.session ?? {};
      if (!requested) return show(visit, {});
      const code = form.get('code')?.trim() ?? '';
      const outcome = await attemptLogin(visit, ({ users }) => users.codeLogin({ ...requested, code }));
      if ('problems' in outcome) return show(visit, outcome);
      if ('due' in outcome) visit.setSession(session);
      else visit.setSession({ ...visit.session, code: undefined });
      return 'due' in outcome ? show(visit, outcome) : outcome;
    },
    async code(visit, form) {
      const problems = await requestCode(visit, form.get('email')?.trim() ?? '');
      return show(visit, problems ? { problems } : {});
    },
  },
  View({ data: { email, problems, due }, site, visit: { csrf, query } }) {
    const { signIn: words, account } = site.texts;
    const next = query.get('next') ? `?next=${encodeURIComponent(query.get('next')!)}` : '';
    const [here, login] = [link(site, `/login-code${next}`), link(site, `/login${next}`)];
    if (due) return <SecondFactor due={due} problems={problems} action={login} csrf={csrf} site={site} />;
    return (
      <main id="main" class="narrow">
        <h1>{words.codeTitle}</h1>
        <p class="notice" role="status">
          {email ? fill(words.codeSent, { email }) : words.otherBrowser}
        </p>
        <FormProblem text={problems['']} />
        <form action={here} method="post">
          <FormFields csrf={csrf} action={email ? 'login' : 'code'} />
          {email ? (
            <>
              <Field
                name="code"
                label={words.code}
                hint={words.codeHint}
                inputMode="numeric"
                autocomplete="one-time-code"
                required
                problem={problems.code}
              />
              <Island name="code-link" of={CodeLink} props={{}} />
            </>
          ) : (
            <Field
              name="email"
              label={account.email}
              type="email"
              autocomplete="username"
              required
              problem={problems.email}
            />
          )}
          <p class="actions">
            <button type="submit">{email ? account.logIn : words.sendCode}</button>
            <a href={login} class="button quiet">
              {email ? words.otherEmail : account.logIn}
            </a>
          </p>
        </form>
      </main>
    );
  },
});

function show(visit: Visit, data: Partial<Data>): Loaded<Data> {
  return {
    status: data.problems ? 422 : 200,
    data: { email: visit.session?.code?.email ?? '', problems: {}, due: null, ...data },
    head: { title: visit.site.texts.signIn.codeTitle, noindex: true },
  };
}
