/** The audit log: each change with its user, time and IP address. */
import type { AuditEntry } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { DataList } from '../../../parts/list/data-list.tsx';
import { forget, useLoad } from '../../../parts/load.ts';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { DateTime } from '../../../parts/show.tsx';
import { useEvents, useSoon } from '../../../shell/events.ts';
import { business, souk } from '../../../shell/session.ts';
import { t, tOr } from '../../../text/index.ts';
import { EVENT_GROUPS } from '../event-groups.ts';
import { SettingsPage } from '../frame.tsx';
import { useRoles } from '../team/use-roles.ts';

const DAY_SECONDS = 86_400;
const MAX_MEMBERS = 200;

export default function Page() {
  return <SettingsPage path="audit">{() => <Audit />}</SettingsPage>;
}

function useMembers() {
  const { data: roles } = useRoles();
  const { data } = useLoad(`members ${business.value?.id} ${roles?.length}`, async (signal) => {
    const roleIds = roles?.map(({ id }) => id) ?? [];
    return roleIds.length === 0 ? [] : souk.users.search({ roleIds, limit: 100 }, { signal }).take(MAX_MEMBERS);
  });
  return data ?? [];
}

const actorText = ({ actor, actorName }: AuditEntry) =>
  actorName || actor.userId || t(actor.type === 'API_KEY' ? 'settings.byKey' : 'settings.bySystem');

const eventText = (type: string) => {
  const [kind = '', action = ''] = type.split('.');
  // Some actions use a different word for this kind of record, such as ending a subscription in German.
  const did = tOr(`settings.did_${kind}_${action}`, tOr(`settings.did_${action}`, action));
  return `${tOr(`settings.kind_${kind}`, kind)}: ${did}`;
};

function Audit() {
  const members = useMembers();
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  useEvents(
    '',
    useSoon(() => forget('list audit')),
  );
  return (
    <>
      <DataList
        name="audit"
        label={t('settings.audit')}
        filters={[
          {
            name: 'kind',
            label: t('settings.what'),
            options: EVENT_GROUPS.map(([kind, text]) => [kind, t(text)] as const),
          },
          {
            name: 'actor',
            label: t('settings.who'),
            options: members.map(({ id, name, email }) => [id, name || email || id] as const),
          },
          {
            name: 'days',
            label: t('settings.when'),
            options: ['1', '7', '30'].map((days) => [days, t('settings.lastDays', { count: Number(days) })] as const),
          },
        ]}
        hasViews
        load={({ kind, actor, days }, cursor, signal) => {
          const from = days ? Math.floor(Date.now() / 1000) - Number(days) * DAY_SECONDS : undefined;
          const query = {
            limit: 50,
            ...(kind ? { types: [`${kind as 'order'}.*` as const] } : {}),
            ...(actor ? { actor } : {}),
            ...(from ? { from } : {}),
          };
          return souk.events.listAuditEntries(query, { signal }).page(cursor);
        }}
        rowName={({ type }) => eventText(type)}
        columns={[
          {
            head: t('settings.what'),
            cell: (entry) => (
              <>
                <button type="button" class="link" onClick={() => setOpened(entry)}>
                  {eventText(entry.type)}
                </button>
                <small>{entry.entityName ?? entry.entity}</small>
              </>
            ),
          },
          { head: t('settings.who'), cell: actorText },
          { head: t('settings.when'), cell: ({ createdAt }) => <DateTime at={createdAt} />, isWide: true },
          { head: t('settings.fromWhere'), cell: ({ address }) => address, isWide: true },
        ]}
        empty={<EmptyState title={t('settings.noAudit')} text={t('settings.noAuditText')} />}
      />
      {opened && <EntryDialog entry={opened} close={() => setOpened(null)} />}
    </>
  );
}

const textOf = (value: unknown) =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value, null, 1);

function EntryDialog({ entry, close }: { entry: AuditEntry; close: () => void }) {
  const { entity, entityName, createdAt, address, actor, changes } = entry;
  return (
    <Dialog title={eventText(entry.type)} close={close} wide>
      <dl class="facts">
        <DetailRow name={t('settings.record')}>{entityName ? `${entityName} (${entity})` : entity}</DetailRow>
        <DetailRow name={t('settings.who')}>{actorText(entry)}</DetailRow>
        <DetailRow name={t('settings.when')}>
          <DateTime at={createdAt} />
        </DetailRow>
        {address && <DetailRow name={t('settings.fromWhere')}>{address}</DetailRow>}
        {actor.requestId && <DetailRow name={t('settings.request')}>{actor.requestId}</DetailRow>}
      </dl>
      {Object.entries(changes ?? {}).map(([name, change]) => {
        const { old, new: now, omitted } = (change ?? {}) as { old?: unknown; new?: unknown; omitted?: true };
        return (
          <section key={name} class="changes">
            <h3>{name}</h3>
            {omitted ? (
              <p class="quiet">{t('settings.omitted')}</p>
            ) : (
              <pre>
                <del>{textOf(old)}</del>
                {'\n'}
                <ins>{textOf(now)}</ins>
              </pre>
            )}
          </section>
        );
      })}
    </Dialog>
  );
}

const DetailRow = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="breaks">{children}</dd>
  </div>
);
