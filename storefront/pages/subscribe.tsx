import type { Collection, Plan } from '@souk/client';
import { Option } from '../forms.tsx';
import { useSite } from '../island.tsx';
import { MISSING, page, type Site, type Visit } from '../page.ts';
import { problemsOf } from '../sign-in/log-in.ts';
import { absolute } from '../site.ts';
import { priceOf } from '../writing/paywall.tsx';
import { findCollection } from './collection.tsx';

type Data = {
  collection: Collection;
  planId: string;
  values: { email: string; name: string };
  error: string | null;
  done: 'active' | 'pending' | 'paid' | null;
};

/** Free and paid plans of a newsletter. */
export default page<Data>({
  path: '/:collection/subscribe',
  parameters: ['plan', 'done'],
  async load(visit) {
    const collection = await findCollection(visit);
    if (collection?.type !== 'NEWSLETTER' || collection.plans.length === 0) return MISSING;
    const wanted = visit.query.get('plan');
    const plan = collection.plans.find(({ id }) => id === wanted) ?? collection.plans[0]!;
    return show(visit.site, collection, {
      planId: plan.id,
      done: visit.query.get('done') === 'paid' ? 'paid' : null,
    });
  },
  openActions: ['subscribe'],
  actions: {
    async subscribe(visit, form) {
      const collection = await findCollection(visit);
      if (!collection) return MISSING;
      const values = { email: form.get('email')?.trim() ?? '', name: form.get('name')?.trim() ?? '' };
      const planId = form.get('plan') ?? '';
      try {
        return await subscribe(visit, collection, { ...values, planId });
      } catch (error) {
        const [problem = null] = Object.values(problemsOf(error, visit));
        return { ...show(visit.site, collection, { planId, values, error: problem }), status: 422 };
      }
    },
  },
  View: ({ data, site }) => (
    <main id="main" class="narrow">
      <h1>{data.collection.name}</h1>
      {data.done ? <Done site={site} done={data.done} /> : <Form data={data} site={site} />}
    </main>
  ),
});

function show(site: Site, collection: Collection, data: Partial<Data>) {
  const values = { email: '', name: '' };
  return {
    data: { collection, planId: '', values, error: null, done: null, ...data },
    head: { title: `${site.texts.posts.subscribe}: ${collection.name}` },
    keys: [`collection:${collection.id}`],
  };
}

type Input = { email: string; name: string; planId: string };

async function subscribe({ site, begin }: Visit, collection: Collection, { email, name, planId }: Input) {
  const souk = await begin();
  const here = absolute(site, `/${collection.slug}/subscribe`);
  const result = await souk.newsletters.subscribe(collection.id, {
    email,
    planId,
    ...(name && { name }),
    returnUrl: `${here}?done=paid`,
    cancelUrl: here,
  });
  if ('checkoutUrl' in result && result.checkoutUrl) return { redirect: result.checkoutUrl, status: 303 as const };
  const isPending = 'status' in result && result.status === 'PENDING';
  return show(site, collection, { planId, done: isPending ? 'pending' : 'active' });
}

function Done({ site, done }: { site: Site; done: NonNullable<Data['done']> }) {
  const { posts } = site.texts;
  const text = { active: posts.subscribed, pending: posts.checkInbox, paid: posts.paid }[done];
  return (
    <p role="status" class="lead">
      {text}
    </p>
  );
}

function Form({ data: { collection, planId, values, error }, site }: { data: Data; site: Site }) {
  const { posts } = site.texts;
  return (
    <form method="post" class="subscribe">
      <input type="hidden" name="action" value="subscribe" />
      {collection.description && <p class="lead">{collection.description}</p>}
      {error && (
        <p role="alert" class="message error">
          {error}
        </p>
      )}
      {collection.plans.length > 1 && (
        <fieldset>
          <legend>{posts.plan}</legend>
          {collection.plans.map((plan) => (
            <PlanOption key={plan.id} plan={plan} isChosen={plan.id === planId} />
          ))}
        </fieldset>
      )}
      {collection.plans.length === 1 && <input type="hidden" name="plan" value={planId} />}
      <label>
        <span>{posts.email}</span>
        <input type="email" name="email" required autocomplete="email" value={values.email} />
      </label>
      <label>
        <span>{posts.name}</span>
        <input name="name" maxLength={80} autocomplete="name" value={values.name} />
      </label>
      <button type="submit">{posts.subscribe}</button>
    </form>
  );
}

/** A plan named "Free" needs no price. */
function PlanOption({ plan: { id, name, description, ...plan }, isChosen }: { plan: Plan; isChosen: boolean }) {
  const site = useSite();
  const price = name === site.texts.posts.free ? undefined : priceOf(plan, site);
  return <Option name="plan" value={id} checked={isChosen} label={name} note={description} price={price} />;
}
