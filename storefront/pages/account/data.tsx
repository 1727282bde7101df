import { isSoukError } from '@souk/client';
import { AccountFrame, isLoggedIn, toLogin } from '../../account/frame.tsx';
import { problemTexts } from '../../cart/problem-text.ts';
import { Check, CurrentPassword, FormFields, FormProblem, type Problems } from '../../forms.tsx';
import { type ActionResult, type Loaded, page, type Visit } from '../../page.ts';
import { Confirm, type Pending, withStepUp } from '../../security/step-up.tsx';
import { link } from '../../site.ts';

/** `pending`: the deletion waits for a factor. `asksPassword`: the account is confirmed by its password. */
type Data = { exported: string | null; problems: Problems; pending: Pending | null; asksPassword: boolean };

export default page<Data>({
  path: '/account/data',
  personal: true,
  load: async (visit) => (isLoggedIn(visit) ? show(visit) : toLogin()),
  actions: {
    async export(visit) {
      if (!isLoggedIn(visit)) return toLogin();
      return show(visit, { exported: JSON.stringify(await visit.souk.privacy.exportOwnData(), null, 2) });
    },
    delete: withStepUp(deleteAccount, (visit, pending) => show(visit, { pending })),
  },
  View({ data: { exported, problems, pending, asksPassword }, site, visit: { csrf } }) {
    const { account: words } = site.texts;
    const action = link(site, '/account/data');
    if (pending) {
      return (
        <AccountFrame site={site} current="data" csrf={csrf} title={words.delete}>
          <Confirm pending={pending} site={site} csrf={csrf} path="/account/data" />
        </AccountFrame>
      );
    }
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
          {asksPassword ? (
            <CurrentPassword name="password" label={words.password} problem={problems.password} />
          ) : (
            <Check name="sure" required problem={problems.password && site.texts.signIn.confirmByLogin}>
              {words.deleteSure}
            </Check>
          )}
          <button type="submit" class="danger">
            {words.delete}
          </button>
        </form>
      </AccountFrame>
    );
  },
});

async function deleteAccount(visit: Visit, form: URLSearchParams): Promise<ActionResult<Data>> {
  if (!isLoggedIn(visit)) return toLogin();
  try {
    await visit.souk.privacy.deleteOwnAccount({ password: form.get('password') || null });
  } catch (error) {
    if (!isSoukError(error) || isSoukError(error, 'STEP_UP_REQUIRED', 'UNAUTHENTICATED')) throw error;
    const { texts } = visit.site;
    return show(visit, {
      problems: error.details.length > 0 ? problemTexts(error.details, texts) : { '': error.message },
    });
  }
  visit.setSession(null);
  return { redirect: '/', status: 303 };
}

async function show({ site, souk }: Visit, data: Partial<Data> = {}): Promise<Loaded<Data>> {
  const { problems = {}, pending = null, exported = null } = data;
  const { hasPassword, totp, passkeys } = await souk.users.getFactors();
  return {
    status: Object.keys(pending?.problems ?? problems).length > 0 ? 422 : 200,
    data: { exported, problems, pending, asksPassword: hasPassword && !totp && passkeys.length === 0 },
    head: { title: site.texts.account.data, noindex: true },
  };
}
