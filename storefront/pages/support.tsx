import { isSoukError } from '@souk/client';
import { FormProblem } from '../forms.tsx';
import { Island } from '../island.tsx';
import { SupportStart } from '../islands/support-start.tsx';
import { type Loaded, page, type Support, type Visit } from '../page.ts';

type Data = { problem: string };

/** Support access: the admin opens this page with the token of a support session. */
export default page<Data>({
  path: '/login/support',
  personal: true,
  inSupport: true,
  // Asks first, because a link from elsewhere could have any token.
  load: async (visit) => (visit.session?.support ? { redirect: '/', status: 303 } : show(visit)),
  openActions: ['end'],
  actions: {
    async begin(visit, form) {
      const support = await findSupport(visit, form.get('token') ?? '');
      if (!support) return show(visit, visit.site.texts.support.refused);
      visit.setSession({ ...visit.session, support });
      return { redirect: '/account', status: 303 };
    },
    async end(visit) {
      if (visit.session?.support) {
        await visit.souk.users.logout({}).catch(() => {});
        visit.setSession(null);
      }
      return { redirect: '/', status: 303 };
    },
  },
  View: ({ data: { problem }, site, visit: { csrf } }) => (
    <main id="main" class="narrow">
      <h1>{site.texts.support.title}</h1>
      <FormProblem text={problem} />
      <Island name="support-start" of={SupportStart} props={{ csrf }} />
    </main>
  ),
});

function show({ site }: Visit, problem = ''): Loaded<Data> {
  return {
    status: problem ? 422 : 200,
    data: { problem },
    head: { title: site.texts.support.title, noindex: true },
  };
}

/** Null unless the token belongs to a support session of this business. */
async function findSupport({ withToken }: Visit, accessToken: string): Promise<Support | null> {
  const souk = withToken(accessToken);
  try {
    // The service has checked the token before its content is read.
    const { name, email = '' } = await souk.users.me();
    await souk.orders.list({ limit: 1 }).take(1);
    const { act, exp } = JSON.parse(atob(accessToken.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')));
    return act ? { accessToken, name: name || email, expiresAt: exp } : null;
  } catch (error) {
    if (isSoukError(error) && error.status >= 500) throw error;
    return null;
  }
}
