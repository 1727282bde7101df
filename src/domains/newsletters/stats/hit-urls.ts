import type { Query, Steps } from '../context.ts';
import type { Issue } from '../sends/view-token.ts';

/** The URLs that report a subscriber's opens and clicks. The number of a link is appended to `click`. */
export function hitUrls({ publicUrl, newsletters }: Pick<Query | Steps, 'publicUrl' | 'newsletters'>, issue: Issue) {
  const token = newsletters.hitTokens.token(issue);
  const base = `${publicUrl()}/v1/mail`;
  return { click: `${base}/c/${token}`, open: `${base}/o/${token}` };
}
