/** The pages of all newsletters and of one newsletter, with tabs. */
import type { Collection } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { useLoad } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export const useNewsletter = (id: string) =>
  useLoad(`collection ${id}`, (signal) => souk.collections.get(id, { signal }));

type SectionProps = {
  part: 'newsletters' | 'automations' | 'segments' | 'forms' | 'suppressions';
  actions: ComponentChildren;
  children: ComponentChildren;
};

export function NewslettersFrame({ part, actions, children }: SectionProps) {
  const audience = can('SUBSCRIBER_READ');
  const links = [
    ['newsletters', '/newsletters', true],
    ['automations', '/newsletters/automations', can('NEWSLETTER_SEND')],
    ['segments', '/newsletters/segments', audience],
    ['forms', '/newsletters/forms', audience],
    ['suppressions', '/newsletters/suppressions', audience],
  ] as const;
  const shown = links.filter(([, , isAllowed]) => isAllowed);
  return (
    <PageFrame title={t(`${part}.title`)} actions={actions}>
      {shown.length > 1 && (
        <Tabs
          label={t('newsletters.title')}
          current={part}
          tabs={shown.map(([name, path]) => [name, path, t(`${name}.title`)])}
        />
      )}
      {children}
    </PageFrame>
  );
}

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
      <Tabs label={t('newsletters.sections')} current={part} tabs={links} />
      <Problem error={newsletter.error} retry={newsletter.reload} />
      {newsletter.data ? children(newsletter.data) : !newsletter.error && <SkeletonRows />}
    </PageFrame>
  );
}
