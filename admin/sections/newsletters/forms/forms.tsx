/** Sign-up forms of all newsletters. */
import type { ListedSignupForm } from '@souk/client';
import { DataList } from '../../../parts/list/data-list.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { DateOnly } from '../../../parts/show.tsx';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { NewslettersFrame } from '../frame.tsx';
import { useChoices } from '../segments/filter-values.tsx';

export default function Forms() {
  const newsletters = new Map(useChoices().options('newsletter'));
  const create = can('SUBSCRIBER_WRITE') && (
    <a class="button" href={href('/newsletters/forms/new')}>
      {t('forms.new')}
    </a>
  );
  return (
    <NewslettersFrame part="forms" actions={create}>
      <DataList<ListedSignupForm>
        name="forms"
        label={t('forms.title')}
        load={(_query, cursor, signal) => souk.newsletters.listForms({ limit: 50 }, { signal }).page(cursor)}
        columns={[
          { head: t('forms.name'), cell: ({ name }) => name },
          {
            head: t('forms.newsletter'),
            cell: ({ collectionId }) => newsletters.get(collectionId) ?? collectionId,
            isWide: true,
          },
          { head: t('segments.updated'), cell: ({ updatedAt }) => <DateOnly at={updatedAt} />, isWide: true },
        ]}
        rowHref={({ id }) => href(`/newsletters/forms/${id}`)}
        rowName={({ name }) => name}
        empty={<EmptyState title={t('forms.none')} text={t('forms.noneText')} action={create} />}
      />
    </NewslettersFrame>
  );
}
