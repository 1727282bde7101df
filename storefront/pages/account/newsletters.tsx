import { isSoukError, type OwnSubscription } from '@souk/client';
import { AccountFrame, isLoggedIn, toLogin } from '../../account/frame.tsx';
import { FormFields } from '../../forms.tsx';
import { page, type Site, type Visit } from '../../page.ts';
import { link } from '../../site.ts';

/** `feedUrl`: the secret URL of the subscriber's own feed. Null without an active subscription. */
type Subscription = OwnSubscription & { feedUrl: string | null };
type Data = { subscriptions: Subscription[] };

const PATH = '/account/newsletters';

export default page<Data>({
  path: PATH,
  personal: true,
  async load(visit) {
    if (!isLoggedIn(visit)) return toLogin();
    const listed = await visit.souk.newsletters.listOwnSubscriptions().take(100);
    const subscriptions = await Promise.all(
      listed.map(async (each) => ({ ...each, feedUrl: await findFeed(visit, each) })),
    );
    return { data: { subscriptions }, head: { title: visit.site.texts.account.newsletters, noindex: true } };
  },
  actions: {
    async replaceFeed(visit, form) {
      if (!isLoggedIn(visit)) return toLogin();
      await visit.souk.newsletters.replaceFeedLink(form.get('collectionId') ?? '');
      return { redirect: `${PATH}?replaced=1`, status: 303 };
    },
  },
  View({ data: { subscriptions }, site, visit: { csrf, query } }) {
    const { account: words, subscriptionStatus } = site.texts;
    return (
      <AccountFrame site={site} current="newsletters" csrf={csrf} title={words.newsletters}>
        {query.has('replaced') && (
          <p class="notice good" role="status">
            {words.feedReplaced}
          </p>
        )}
        {subscriptions.length === 0 && <p>{words.noNewsletters}</p>}
        <ul class="orders">
          {subscriptions.map((subscription) => {
            const { id, name, planName, status, planUrl, unsubscribeUrl } = subscription;
            return (
              <li key={id}>
                <strong>{name}</strong>
                <span class="quiet">{planName}</span>
                <span class="state">{subscriptionStatus[status]}</span>
                <span class="actions">
                  {planUrl && <a href={planUrl}>{words.managePlan}</a>}
                  {unsubscribeUrl && status !== 'UNSUBSCRIBED' && <a href={unsubscribeUrl}>{words.unsubscribe}</a>}
                </span>
                <Feed site={site} subscription={subscription} csrf={csrf} />
              </li>
            );
          })}
        </ul>
      </AccountFrame>
    );
  },
});

/** Null in a support session: the URL works without a login. */
async function findFeed({ souk, session }: Visit, { collectionId, status }: OwnSubscription): Promise<string | null> {
  if (status !== 'ACTIVE' || session?.support) return null;
  try {
    return (await souk.newsletters.getFeedLink(collectionId)).url;
  } catch (error) {
    if (isSoukError(error, 'NOT_FOUND')) return null;
    throw error;
  }
}

type FeedProps = { site: Site; subscription: Subscription; csrf: string };

function Feed({ site, subscription: { id, collectionId, feedUrl }, csrf }: FeedProps) {
  const { account: words } = site.texts;
  if (feedUrl === null) return null;
  return (
    <form action={link(site, PATH)} method="post" class="feed">
      <FormFields csrf={csrf} action="replaceFeed" />
      <input type="hidden" name="collectionId" value={collectionId} />
      <label for={`feed-${id}`}>{words.feed}</label>
      <input id={`feed-${id}`} readOnly value={feedUrl} aria-describedby={`feed-hint-${id}`} />
      <p id={`feed-hint-${id}`} class="field-hint">
        {words.feedHint}
      </p>
      <button type="submit" class="quiet">
        {words.replaceFeed}
      </button>
    </form>
  );
}
