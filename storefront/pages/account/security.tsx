import { isSoukError, type Session } from '@souk/client';
import { AccountFrame, isLoggedIn, toLogin } from '../../account/frame.tsx';
import { problemTexts } from '../../cart/problem-text.ts';
import { Field, FormFields, FormProblem, type Problems } from '../../forms.tsx';
import { type Loaded, page, type Visit } from '../../page.ts';
import { date, fill, link } from '../../site.ts';

type Data = { sessions: Session[]; problems: Problems };

export default page<Data>({
  path: '/account/security',
  personal: true,
  load: async (visit) => (isLoggedIn(visit) ? show(visit) : toLogin()),
  actions: {
    async password(visit, form) {
      if (!isLoggedIn(visit)) return toLogin();
      const [oldPassword, newPassword] = [form.get('oldPassword') ?? '', form.get('newPassword') ?? ''];
      try {
        await visit.souk.users.resetPassword({ oldPassword, newPassword });
      } catch (error) {
        if (!isSoukError(error)) throw error;
        const { texts } = visit.site;
        return show(visit, error.details.length > 0 ? problemTexts(error.details, texts) : { '': texts.errors.failed });
      }
      return { redirect: '/account/security?changed=1', status: 303 };
    },
    async end(visit, form) {
      if (!isLoggedIn(visit)) return toLogin();
      await visit.souk.users.deleteSession(form.get('id') ?? '').catch((error) => {
        if (!isSoukError(error, 'NOT_FOUND')) throw error;
      });
      return { redirect: '/account/security', status: 303 };
    },
  },
  View({ data: { sessions, problems }, site, visit: { csrf, query } }) {
    const { account: words } = site.texts;
    const action = link(site, '/account/security');
    return (
      <AccountFrame site={site} current="security" csrf={csrf} title={words.security}>
        {query.has('changed') && (
          <p class="notice good" role="status">
            {words.passwordChanged}
          </p>
        )}
        <FormProblem text={problems['']} />
        <h2>{words.changePassword}</h2>
        <form action={action} method="post">
          <FormFields csrf={csrf} action="password" />
          <Field
            name="oldPassword"
            label={words.oldPassword}
            type="password"
            autocomplete="current-password"
            required
            problem={problems.oldPassword}
          />
          <Field
            name="newPassword"
            label={words.newPassword}
            type="password"
            autocomplete="new-password"
            required
            hint={words.hint}
            problem={problems.newPassword}
          />
          <button type="submit">{words.changePassword}</button>
        </form>
        <h2>{words.sessions}</h2>
        <ul class="orders">
          {sessions.map(({ id, createdAt, lastUsedAt, current }) => (
            <li key={id}>
              <span>{fill(words.sessionSince, { date: date(createdAt, site) })}</span>
              <span class="quiet">{fill(words.lastUsed, { date: date(lastUsedAt, site) })}</span>
              {current ? (
                <strong class="state">{words.thisBrowser}</strong>
              ) : (
                <form action={action} method="post">
                  <FormFields csrf={csrf} action="end" />
                  <input type="hidden" name="id" value={id} />
                  <button type="submit" class="quiet">
                    {words.endSession}
                  </button>
                </form>
              )}
            </li>
          ))}
        </ul>
      </AccountFrame>
    );
  },
});

async function show({ souk, site }: Visit, problems: Problems = {}): Promise<Loaded<Data>> {
  return {
    status: Object.keys(problems).length > 0 ? 422 : 200,
    data: { sessions: await souk.users.listSessions({ limit: 50 }).take(50), problems },
    head: { title: site.texts.account.security, noindex: true },
  };
}
