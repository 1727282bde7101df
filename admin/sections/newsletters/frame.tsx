/** A page of a newsletter, with tabs. */
import type { Collection } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { useLoad } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export const useNewsletter = (id: string) =>
  useLoad(`collection ${id}`, (signal) => souk.collections.get(id, { signal }));

type Props = {
  id: string;
  part: 'issues' | 'subscribers' | 'growth';
  actions: ComponentChildren;
  children: (newsletter: Collection) => ComponentChildren;
};

export function NewsletterFrame({ id, part, actions, children }: Props) {
  const newsletter = useNewsletter(id);
  const links = [
    ['issues', `/newsletters/${id}`, t('newsletters.issues')],
    ['subscribers', `/newsletters/${id}/subscribers`, t('newsletters.subscribers')],
    ...(can('SUBSCRIBER_READ') ? ([['growth', `/newsletters/${id}/growth`, t('stats.growth')]] as const) : []),
  ] as const;
  return (
    <PageFrame
      title={newsletter.data?.name ?? t('newsletters.title')}
      back="/newsletters"
      actions={
        <>
          {can('CONTENT_WRITE') && (
            <a class="button quiet" href={href(`/newsletters/${id}/settings`)}>
              {t('newsletters.settings')}
            </a>
          )}
          {actions}
        </>
      }
    >
      <nav class="tabs" aria-label={t('newsletters.sections')}>
        {links.map(([name, path, text]) => (
          <a key={name} href={href(path)} aria-current={name === part ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
      <Problem error={newsletter.error} retry={newsletter.reload} />
      {newsletter.data ? children(newsletter.data) : !newsletter.error && <SkeletonRows />}
    </PageFrame>
  );
}
