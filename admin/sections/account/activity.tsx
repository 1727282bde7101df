/** The activity of the user's account: logins, failed logins, API keys, roles. */
import type { AccountEvent } from '@souk/client';
import { DataList } from '../../parts/list/data-list.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { DateTime } from '../../parts/show.tsx';
import { souk } from '../../shell/session.ts';
import { t, tOr } from '../../text/index.ts';
import { AccountPage } from './frame.tsx';

const eventText = ({ type }: AccountEvent) => tOr(`account.did_${type.split('.')[1]}`, type);

export default function Page() {
  return (
    <AccountPage path="activity">
      <DataList
        name="activity"
        label={t('account.activity')}
        load={(_query, cursor, signal) => souk.users.listAccountEvents({ limit: 50 }, { signal }).page(cursor)}
        rowName={eventText}
        columns={[
          { head: t('account.what'), cell: eventText },
          { head: t('account.when'), cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          { head: t('account.fromWhere'), cell: ({ address }) => address, isWide: true },
        ]}
        empty={<EmptyState title={t('account.nothing')} text={t('account.nothingText')} />}
      />
    </AccountPage>
  );
}
