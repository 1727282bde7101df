/** The plans of a newsletter, shown at the end of a free preview and on the sign-up page. */
import type { Collection, Plan } from '@souk/client';
import { type IslandSite, useSite } from '../island.tsx';
import { fill, link, money } from '../site.ts';

export const isPaid = ({ price }: Pick<Plan, 'price'>) => (price?.amount ?? 0) > 0;

export function priceOf({ price }: Pick<Plan, 'price'>, site: IslandSite): string {
  const { posts } = site.texts;
  if (!price || !isPaid({ price })) return posts.free;
  const { amount, currency, interval = 'ONCE' } = price;
  const words = { ONCE: '{price}', WEEKLY: posts.weekly, MONTHLY: posts.monthly, YEARLY: posts.yearly }[interval];
  return fill(words, { price: money(amount, currency, site) });
}

type PaywallProps = { collection: Collection; planIds: string[] | null; path: string };

/** The offer at the end of the free part. `planIds` is null if every subscriber can read the rest. */
export function Paywall({ collection, planIds, path }: PaywallProps) {
  const site = useSite();
  const { posts } = site.texts;
  const plans = collection.plans.filter(({ id }) => planIds?.includes(id) ?? true);
  return (
    <aside class="paywall" aria-labelledby="paywall-title">
      <h2 id="paywall-title">{planIds === null ? posts.forSubscribers : posts.forMembers}</h2>
      <ul class="plans">
        {plans.map((plan) => (
          <li key={plan.id}>
            <span class="plan-name">{plan.name}</span>
            <span class="plan-price">{priceOf(plan, site)}</span>
            <a
              class="button"
              href={link(site, `/${collection.slug}/subscribe?plan=${encodeURIComponent(plan.id)}`)}
              aria-label={`${posts.subscribe}: ${plan.name}`}
            >
              {posts.subscribe}
            </a>
          </li>
        ))}
      </ul>
      <p class="small">
        {posts.alreadySubscribed} <a href={link(site, `${path}/full`)}>{posts.logIn}</a>
      </p>
    </aside>
  );
}
