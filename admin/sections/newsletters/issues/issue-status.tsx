/** The status of an issue in the list: a draft, published, scheduled, being sent or sent. */
import type { ListedEntry, Page, Send } from '@souk/client';
import { CompactTime, StatusBadge, statusOf, taskStatusText } from '../../../parts/show.tsx';
import { can, souk } from '../../../shell/session.ts';

export type Issue = ListedEntry & { send?: Send | undefined };

/** Adds the current send to each issue, if the member may see sends. */
export async function withSends(page: Page<ListedEntry>, signal: AbortSignal): Promise<Page<Issue>> {
  const entryIds = page.items.map(({ id }) => id);
  if (!can('NEWSLETTER_SEND') || entryIds.length === 0) return page;
  const { items: sends } = await souk.newsletters.listCurrentSends({ entryIds }, { signal });
  const sendOf = new Map(sends.map((send) => [send.entryId, send]));
  return { ...page, items: page.items.map((entry) => ({ ...entry, send: sendOf.get(entry.id) })) };
}

/** The badge shows the send. If the issue is no longer published, it shows that instead. */
export function IssueStatus({ issue: { statuses, send } }: { issue: Issue }) {
  const status = statusOf(statuses);
  if (!send) return <StatusBadge status={status} />;
  const time = <CompactTime at={send.startedAt ?? send.scheduledAt} />;
  if (status === 'PUBLISHED')
    return (
      <>
        <StatusBadge status={send.status} isTask />
        <small>{time}</small>
      </>
    );
  return (
    <>
      <StatusBadge status={status} />
      <small>
        {taskStatusText(send.status)} · {time}
      </small>
    </>
  );
}
