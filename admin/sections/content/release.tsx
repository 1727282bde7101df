import type { Release } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/dialog.tsx';
import { RecordNotices, SaveBar } from '../../parts/editing/record-view.tsx';
import { useRecord } from '../../parts/editing/use-record.ts';
import type { Bound } from '../../parts/form/field-frame.tsx';
import { TextField } from '../../parts/form/form.tsx';
import { DateField } from '../../parts/form/number-fields.tsx';
import { Pick } from '../../parts/form/pick.tsx';
import { forget, useAction, useLoad } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { type Named, SOURCES, type Target } from '../../parts/records/sources.ts';
import { dateTime, StatusBadge } from '../../parts/show.tsx';
import { useEvents } from '../../shell/events.ts';
import { href, navigate } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { serviceText, t } from '../../text/index.ts';

type Values = { name: string; at: number | null; items: string[] };

const KINDS: [prefix: string, target: Target][] = [
  ['ent_', 'ENTRY'],
  ['prod_', 'PRODUCT'],
  ['col_', 'COLLECTION'],
];
const BATCH = 100;
/** The maximum number of items to show by name. */
const SHOWN = 200;

const toForm = ({ name, at, items }: Release): Values => ({ name, at, items });
const keyOf = (id: string) => `release ${id}`;
const names = () => ({ name: t('publishing.name'), at: t('publishing.at'), items: t('publishing.items') });

export default function ReleasePage({ releaseId }: { releaseId?: string }) {
  const [release, setRelease] = useState<Release>();
  const [isCanceling, setCanceling] = useState(false);
  const version = (read: Release & { etag?: string }) => {
    setRelease(read);
    return { values: toForm(read), etag: read.etag, id: read.id };
  };
  const record = useRecord<Values>({
    key: releaseId ? keyOf(releaseId) : 'release new',
    ...(releaseId
      ? { load: async (signal: AbortSignal) => version(await souk.releases.get(releaseId, { signal })) }
      : { initial: { name: '', at: null, items: [] } }),
    save: async (_changes, { ifMatch, values: { name, at, items } }) => {
      const body = { name, items, ...(at === null ? {} : { at }) };
      if (!releaseId) {
        const created = await souk.releases.create(body);
        return { ...version(created), key: keyOf(created.id) };
      }
      return version(await souk.releases.update(releaseId, body, ifMatch ? { ifMatch } : {}));
    },
    saved: (saved) => {
      forget('list releases');
      if (!releaseId) navigate(`/content/releases/${(saved as unknown as { id: string }).id}`, { replace: true });
    },
  });
  const cancel = useAction(async () => {
    await souk.releases.cancel(releaseId!);
    forget('list releases');
    record.reload();
  });
  const retry = useAction(async () => {
    version(await souk.releases.update(releaseId!, {}));
    forget('list releases');
    record.reload();
  });
  useEvents('release.', ({ entity }) => {
    if (entity === `release:${releaseId}` && !record.isChanged) record.reload();
  });
  const hasFailed = release?.status === 'FAILED';
  const isOpen = !release || hasFailed || release.status === 'SCHEDULED';
  const { values } = record;
  return (
    <PageFrame
      title={releaseId ? (record.base?.name ?? '…') : t('publishing.newRelease')}
      back="/content/releases"
      aside={release && <StatusBadge status={release.status} isTask />}
      actions={
        release &&
        isOpen && (
          <button type="button" class="quiet" onClick={() => setCanceling(true)}>
            {t('publishing.cancelRelease')}
          </button>
        )
      }
    >
      <RecordNotices record={record} names={names()} />
      <Problem error={cancel.error ?? retry.error} />
      <Outcome release={release}>
        <button type="button" disabled={record.isChanged || retry.isBusy} onClick={() => void retry.run()}>
          {t('publishing.tryAgain')}
        </button>
      </Outcome>
      {!values && !record.error && <SkeletonRows count={5} />}
      {values && (
        <div class="columns">
          <Items bound={record.bind('items')} isOpen={isOpen} />
          <Section title={t('publishing.title')}>
            <p class="quiet small">{t('publishing.releasesText')}</p>
            <TextField label={t('publishing.name')} required disabled={!isOpen} {...record.bind('name')} />
            <DateField
              label={t('publishing.when')}
              hint={t('publishing.whenHint')}
              withTime
              disabled={!isOpen}
              {...record.bind('at')}
            />
          </Section>
        </div>
      )}
      {values && isOpen && <SaveBar record={record} />}
      {isCanceling && (
        <Confirm
          title={t('publishing.cancelTitle')}
          text={t('publishing.cancelText')}
          action={t('publishing.cancelRelease')}
          run={() => void cancel.run()}
          close={() => setCanceling(false)}
        />
      )}
    </PageFrame>
  );
}

/** The result of a release. For a failed one, with a retry. */
function Outcome({ release, children }: { release: Release | undefined; children: ComponentChildren }) {
  const item = release?.failure?.item ?? '';
  const { data: named = [] } = useNames(item ? [item] : []);
  if (release?.publishedAt)
    return (
      <div class="notice" role="status">
        <p>{t('publishing.releasedAt', { time: dateTime(release.publishedAt) })}</p>
      </div>
    );
  if (!release?.failure) return null;
  const name = named[0]?.name ?? item;
  return (
    <div class="notice bad" role="alert">
      <p>{t('publishing.releaseFailed', { name, message: serviceText(release.failure.message) })}</p>
      {named[0]?.path && (
        <p>
          <a href={href(named[0].path)}>{name}</a>
        </p>
      )}
      {children}
    </div>
  );
}

const useNames = (ids: string[]) =>
  useLoad(`release items ${ids.join(' ')}`, async (signal) => {
    const found = new Map<string, Named>();
    for (const [prefix, target] of KINDS) {
      const own = ids.filter((id) => id.startsWith(prefix));
      for (let i = 0; i < own.length; i += BATCH) {
        for (const each of await SOURCES[target].byIds(own.slice(i, i + BATCH), signal)) found.set(each.id, each);
      }
    }
    return ids.map((id) => found.get(id) ?? { id, name: id });
  });

function Items({ bound: { value, onInput, problem }, isOpen }: { bound: Bound<string[]>; isOpen: boolean }) {
  const { data: named } = useNames(value.slice(0, SHOWN));
  const find = async (query: string, signal: AbortSignal) => {
    const targets = [
      ...(can('CONTENT_WRITE') ? ['ENTRY', 'COLLECTION'] : []),
      ...(can('CATALOG_WRITE') ? ['PRODUCT'] : []),
    ];
    const found = await Promise.all((targets as Target[]).map((target) => SOURCES[target].search(query, signal)));
    return found.flat().filter(({ id }) => !value.includes(id));
  };
  return (
    <Section title={t('publishing.items')} actions={<span>{t('publishing.itemCount', { count: value.length })}</span>}>
      {value.length === 0 && <p class="quiet">{t('publishing.noItems')}</p>}
      <ul class="planned">
        {(named ?? value.slice(0, SHOWN).map((id): Named => ({ id, name: id }))).map(({ id, name, path }) => (
          <li key={id}>
            {path ? <a href={href(path)}>{name}</a> : <span>{name}</span>}
            {isOpen && (
              <button
                type="button"
                class="icon"
                aria-label={t('publishing.remove', { name })}
                onClick={() => onInput(value.filter((each) => each !== id))}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {isOpen && (
        <Pick
          label={t('publishing.addItem')}
          find={find}
          choose={({ id }) => onInput([...value, id])}
          show={({ id, name, path }) => ({ id, text: name, detail: path })}
          problem={problem}
        />
      )}
    </Section>
  );
}
