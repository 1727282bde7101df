import { isSoukError } from '@souk/client';
import { AccountFrame, isLoggedIn, toLogin } from '../../account/frame.tsx';
import { problemTexts } from '../../cart/problem-text.ts';
import { Field, FormFields, FormProblem, type Problems } from '../../forms.tsx';
import { type Loaded, page, type Visit } from '../../page.ts';
import { link } from '../../site.ts';

type Data = { exported: string | null; problems: Problems };

export default page<Data>({
  path: '/account/data',
  personal: true,
  load: async (visit) => (isLoggedIn(visit) ? show(visit) : toLogin()),
  actions: {
    async export(visit) {
      if (!isLoggedIn(visit)) return toLogin();
      return show(visit, JSON.stringify(await visit.souk.privacy.exportOwnData(), null, 2));
    },
    async delete(visit, form) {
      if (!isLoggedIn(visit)) return toLogin();
      try {
        await visit.souk.privacy.deleteOwnAccount({ password: form.get('password') || null });
      } catch (error) {
        if (!isSoukError(error)) throw error;
        const { texts } = visit.site;
        const problems = error.details.length > 0 ? problemTexts(error.details, texts) : { '': error.message };
        return show(visit, null, problems);
      }
      visit.setSession(null);
      return { redirect: '/', status: 303 };
    },
  },
  View({ data: { exported, problems }, site, visit: { csrf } }) {
    const { account: words } = site.texts;
    const action = link(site, '/account/data');
    return (
      <AccountFrame site={site} current="data" csrf={csrf} title={words.data}>
        <FormProblem text={problems['']} />
        <h2>{words.export}</h2>
        <p>{words.exportText}</p>
        {exported === null ? (
          <form action={action} method="post">
            <FormFields csrf={csrf} action="export" />
            <button type="submit" class="quiet">
              {words.export}
            </button>
          </form>
        ) : (
          <p>
            <a
              class="button"
              download="account.json"
              href={`data:application/json;charset=utf-8,${encodeURIComponent(exported)}`}
            >
              {words.download}
            </a>
          </p>
        )}
        <h2>{words.delete}</h2>
        <p>{words.deleteText}</p>
        <form action={action} method="post">
          <FormFields csrf={csrf} action="delete" />
          <Field
            name="password"
            label={words.password}
            type="password"
            autocomplete="current-password"
            required
            problem={problems.password}
          />
          <button type="submit" class="danger">
            {words.delete}
          </button>
        </form>
      </AccountFrame>
    );
  },
});

function show({ site }: Visit, exported: string | null = null, problems: Problems = {}): Loaded<Data> {
  return {
    status: Object.keys(problems).length > 0 ? 422 : 200,
    data: { exported, problems },
    head: { title: site.texts.account.data, noindex: true },
  };
}
