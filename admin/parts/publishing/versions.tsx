/**
 * The versions of a record with their authors, a comparison by field, and a restore button. `<Versions id={id} api={souk.entries}
 * fieldName={…} restored={reload} />`; `forget('versions')` reloads them.
 */
import type { List, Version, VersionDetail } from '@souk/client';
import { useState } from 'preact/hooks';
import { t } from '../../text/index.ts';
import { Confirm, Dialog } from '../dialog.tsx';
import { useAction, useLoad } from '../load.ts';
import { Section } from '../page.tsx';
import { SkeletonRows } from '../placeholders.tsx';
import { Problem } from '../problem.tsx';
import { DateTime } from '../show.tsx';
import { toast } from '../toast.tsx';

type Api = {
  listVersions(id: string, query?: { limit?: number }, options?: { signal?: AbortSignal }): List<Version>;
  getVersion(id: string, number: number, options?: { signal?: AbortSignal }): Promise<VersionDetail>;
  restoreVersion(id: string, number: number): Promise<unknown>;
};

type Props = {
  id: string;
  api: Api;
  /** The label of a field: `blocks.title` is "Title". */
  fieldName: (field: string) => string;
  /** Whether there is a draft. Restoring a version replaces it. */
  hasDraft: boolean;
  /** Null if the user can't restore versions. */
  restored: (() => void) | null;
};

const PAGE = 10;
const NAMED = 3;

const actionText = ({ action, restoredFrom }: Version) => t(`publishing.${action}`, { number: restoredFrom ?? '' });

function authorText({ userName, keyId }: Version): string {
  const name = userName ?? t('publishing.system');
  return keyId === null ? name : t('publishing.withKey', { name, key: keyId });
}

export function Versions({ id, api, fieldName, hasDraft, restored }: Props) {
  const [limit, setLimit] = useState(PAGE);
  const [shown, setShown] = useState<number | null>(null);
  const { data, error, reload } = useLoad(`versions ${id} ${limit}`, (signal) =>
    api.listVersions(id, { limit: Math.min(limit, 100) }, { signal }).take(limit),
  );
  const fieldsText = (changed: string[]) => {
    // Reordering is reported as a change to the list itself.
    const names = [...new Set(changed.filter((field) => field !== 'blocks' && field !== 'variants').map(fieldName))];
    const fields = names.slice(0, NAMED).join(', ');
    return names.length > NAMED ? t('publishing.andMore', { fields, count: names.length - NAMED }) : fields;
  };
  return (
    <Section title={t('publishing.versions')}>
      <p class="quiet small">{t('publishing.versionsText')}</p>
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows count={3} />}
      <ol class="versions">
        {data?.map((version) => (
          <li key={version.number}>
            <p>
              <strong>{actionText(version)}</strong> <DateTime at={version.createdAt} />
            </p>
            <p class="quiet small">
              {t('publishing.number', { number: version.number })} · {authorText(version)}
              {version.changed.length > 0 &&
                ` · ${t('publishing.changedFields', { fields: fieldsText(version.changed) })}`}
            </p>
            <button
              type="button"
              class="quiet"
              aria-label={t('publishing.compare', { number: version.number })}
              onClick={() => setShown(version.number)}
            >
              {t('publishing.compareShort')}
            </button>
          </li>
        ))}
      </ol>
      {data && data.length === limit && (
        <button type="button" class="quiet" onClick={() => setLimit(limit + PAGE)}>
          {t('publishing.more')}
        </button>
      )}
      {shown !== null && (
        <VersionDialog
          id={id}
          api={api}
          fieldName={fieldName}
          hasDraft={hasDraft}
          restored={restored}
          number={shown}
          isNewest={shown === data?.[0]?.number}
          close={() => setShown(null)}
        />
      )}
    </Section>
  );
}

type DialogProps = Props & { number: number; isNewest: boolean; close: () => void };

function VersionDialog({ id, api, fieldName, hasDraft, restored, number, isNewest, close }: DialogProps) {
  const { data, error, reload } = useLoad(`version ${id} ${number}`, (signal) =>
    api.getVersion(id, number, { signal }),
  );
  const [isAsking, setAsking] = useState(false);
  const restore = useAction(async () => {
    await api.restoreVersion(id, number);
    toast(t('publishing.restored', { number }));
    close();
    restored?.();
  });
  return (
    <Dialog title={t('publishing.number', { number })} close={close} wide>
      <Problem error={error ?? restore.error} retry={error ? reload : undefined} />
      {!data && !error && <SkeletonRows count={3} />}
      {data?.changes.length === 0 && <p>{t('publishing.noChanges')}</p>}
      {data?.changes.map(({ field, before, after, omitted }) => (
        <section key={field} class="change" aria-label={fieldName(field)}>
          <h3>{fieldName(field)}</h3>
          {omitted ? (
            <p class="quiet">{t('publishing.tooLarge')}</p>
          ) : (
            <dl>
              <dt>{t('publishing.before')}</dt>
              <dd class="before">{valueText(before)}</dd>
              <dt>{t('publishing.after')}</dt>
              <dd class="after">{valueText(after)}</dd>
            </dl>
          )}
        </section>
      ))}
      {restored && !isNewest && (
        <div class="actions end">
          <button
            type="button"
            disabled={restore.isBusy || !data}
            onClick={() => (hasDraft ? setAsking(true) : restore.run())}
          >
            {t('publishing.restore')}
          </button>
        </div>
      )}
      {isAsking && (
        <Confirm
          title={t('publishing.replaceDraft')}
          text={t('publishing.replaceDraftText', { number })}
          action={t('publishing.restore')}
          run={() => void restore.run()}
          close={() => setAsking(false)}
        />
      )}
    </Dialog>
  );
}

/** A value as readable text. */
function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return t('publishing.none');
  if (Array.isArray(value)) return value.length === 0 ? t('publishing.none') : value.map(valueText).join('\n');
  if (typeof value !== 'object') return String(value);
  const { fileName, url } = value as { fileName?: string; url?: string };
  if (fileName ?? url) return (fileName ?? url)!;
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${typeof inner === 'object' ? JSON.stringify(inner) : inner}`)
    .join('\n');
}
