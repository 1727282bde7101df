/** The form to subscribe to the newsletter, on the home page and below posts. */
import type { Collection } from '@souk/client';
import { useSite } from '../island.tsx';
import type { Visit } from '../page.ts';
import { link } from '../site.ts';
import { isPaid } from './paywall.tsx';

/** The first newsletter with a free plan. */
export async function findNewsletter(souk: Visit['souk']): Promise<Collection | null> {
  const newsletters = await souk.collections.list({ type: 'NEWSLETTER', limit: 10 }).take(10);
  return newsletters.find(({ plans }) => freePlan(plans)) ?? null;
}

const freePlan = (plans: Collection['plans']) => plans.find((plan) => !isPaid(plan));

export function Newsletter({ newsletter }: { newsletter: Collection | null }) {
  const site = useSite();
  const { posts } = site.texts;
  if (!newsletter) return null;
  return (
    <section class="newsletter" aria-labelledby="newsletter-title">
      <div>
        <h2 id="newsletter-title">{newsletter.name}</h2>
        {newsletter.description && <p class="quiet">{newsletter.description}</p>}
      </div>
      <form action={link(site, `/${newsletter.slug}/subscribe`)} method="post">
        <input type="hidden" name="action" value="subscribe" />
        <input type="hidden" name="plan" value={freePlan(newsletter.plans)?.id} />
        <label for="newsletter-email">{posts.yourEmail}</label>
        <div class="newsletter-row">
          <input id="newsletter-email" type="email" name="email" required autocomplete="email" />
          <button type="submit">{posts.subscribe}</button>
        </div>
      </form>
    </section>
  );
}
