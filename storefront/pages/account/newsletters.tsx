import type { OwnSubscription } from '@souk/client';
import { AccountFrame, isLoggedIn, toLogin } from '../../account/frame.tsx';
import { page } from '../../page.ts';

type Data = { subscriptions: OwnSubscription[] };

export default page<Data>({
  path: '/account/newsletters',
  personal: true,
  async load(visit) {
    if (!isLoggedIn(visit)) return toLogin();
    const subscriptions = await visit.souk.newsletters.listOwnSubscriptions().take(100);
    return { data: { subscriptions }, head: { title: visit.site.texts.account.newsletters, noindex: true } };
  },
  View({ data: { subscriptions }, site, visit: { csrf } }) {
    const { account: words, subscriptionStatus } = site.texts;
    return (
      <AccountFrame site={site} current="newsletters" csrf={csrf} title={words.newsletters}>
        {subscriptions.length === 0 && <p>{words.noNewsletters}</p>}
        <ul class="orders">
          {subscriptions.map(({ id, name, planName, status, planUrl, unsubscribeUrl }) => (
            <li key={id}>
              <strong>{name}</strong>
              <span class="quiet">{planName}</span>
              <span class="state">{subscriptionStatus[status]}</span>
              <span class="actions">
                {planUrl && <a href={planUrl}>{words.managePlan}</a>}
                {unsubscribeUrl && status !== 'UNSUBSCRIBED' && <a href={unsubscribeUrl}>{words.unsubscribe}</a>}
              </span>
            </li>
          ))}
        </ul>
      </AccountFrame>
    );
  },
});
