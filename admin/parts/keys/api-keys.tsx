/** The user's API keys. A new key is shown once. */
import type { ApiToken } from '@souk/client';
import { useState } from 'preact/hooks';
import { reloadMe, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Confirm } from '../dialog.tsx';
import { useAction, useLoad } from '../load.ts';
import { Section } from '../page.tsx';
import { SkeletonRows } from '../placeholders.tsx';
import { Problem } from '../problem.tsx';
import { DateOnly } from '../show.tsx';
import { toast } from '../toast.tsx';
import { changeKeys } from './change-keys.ts';
import { KeyLimits, nameOf } from './key-limits.tsx';
import { NewKey } from './new-key.tsx';
import { SecretDialog } from './secret-dialog.tsx';

export function ApiKeys() {
  const { data, error, reload, set } = useLoad(
    'api-keys',
    async (signal) => (await souk.users.me({ signal })).apiTokens,
  );
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<ApiToken | null>(null);
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  const revoke = useAction(async ({ id, name }: ApiToken) => {
    const { apiTokens } = await changeKeys((keys) => keys.filter((key) => key.id !== id));
    set(apiTokens);
    toast(t('parts.keyRevoked', { name }));
    await reloadMe();
  });
  const confirm = useAction(async ({ id, name }: ApiToken) => {
    const { apiTokens } = await changeKeys((keys) =>
      keys.map((key) => (key.id === id ? { ...key, confirmed: true } : key)),
    );
    set(apiTokens);
    const isConfirmed = apiTokens.find((key) => key.id === id)?.status !== 'UNCONFIRMED';
    toast(isConfirmed ? t('parts.keyConfirmed', { name: name || id }) : t('parts.keyNeedsSso'));
  });
  const done = (keys: ApiToken[], key: ApiToken) => {
    setCreating(false);
    setCreated(key);
    // The value is kept only while the dialog is open.
    set(keys.map((each) => (each === key ? { ...key, value: `****${key.value.slice(-4)}` } : each)));
  };
  const newButton = (
    <button type="button" onClick={() => setCreating(true)}>
      {t('parts.newKey')}
    </button>
  );
  return (
    <Section title={t('parts.keys')} actions={newButton}>
      <p class="quiet">{t('parts.keysText')}</p>
      <Problem error={error ?? revoke.error ?? confirm.error} retry={error ? reload : undefined} />
      {!data && !error && <SkeletonRows count={2} />}
      {data?.length === 0 && <p>{t('parts.noKeys')}</p>}
      {data && data.length > 0 && <KeyTable keys={data} confirm={confirm.run} revoke={setRevoked} />}
      {isCreating && <NewKey close={() => setCreating(false)} done={done} previous={data ?? []} />}
      {created && (
        <SecretDialog
          title={t('parts.keyCreated')}
          text={t('parts.keyOnce')}
          label={t('parts.keyValue')}
          secret={created.value}
          close={() => setCreated(null)}
        />
      )}
      {revoked && (
        <Confirm
          title={t('parts.revokeKey', { name: revoked.name })}
          text={t('parts.revokeText')}
          action={t('parts.revoke')}
          run={() => revoke.run(revoked)}
          close={() => setRevoked(null)}
        />
      )}
    </Section>
  );
}

type TableProps = { keys: ApiToken[]; confirm: (key: ApiToken) => void; revoke: (key: ApiToken) => void };

const KeyTable = ({ keys, confirm, revoke }: TableProps) => (
  <table class="plain-table">
    <caption class="visually-hidden">{t('parts.keys')}</caption>
    <thead>
      <tr>
        <th scope="col">{t('parts.keyName')}</th>
        <th scope="col" class="wide-only">
          {t('parts.keyValue')}
        </th>
        <th scope="col" class="wide-only">
          {t('parts.keyUsed')}
        </th>
        <th scope="col" class="wide-only">
          {t('parts.keyExpires')}
        </th>
        <th scope="col">
          <span class="visually-hidden">{t('parts.revoke')}</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {keys.map((key) => (
        <tr key={key.id}>
          <td>
            {key.name || key.id}
            <KeyLimits apiKey={key} />
            {key.status === 'UNCONFIRMED' && <p class="small notice">{unconfirmedText(key)}</p>}
          </td>
          <td class="wide-only">
            <code>{key.value}</code>
          </td>
          <td class="wide-only">{key.lastUsedAt ? <DateOnly at={key.lastUsedAt} /> : t('parts.never')}</td>
          <td class="wide-only">{key.expiresAt ? <DateOnly at={key.expiresAt} /> : t('parts.never')}</td>
          <td class="number">
            {key.status === 'UNCONFIRMED' && (
              <button
                type="button"
                aria-label={t('parts.confirmKey', { name: key.name || key.id })}
                onClick={() => confirm(key)}
              >
                {t('parts.confirmThisKey')}
              </button>
            )}
            <button
              type="button"
              class="quiet"
              aria-label={t('parts.revokeKey', { name: key.name || key.id })}
              onClick={() => revoke(key)}
            >
              {t('parts.revoke')}
            </button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const unconfirmedText = ({ unconfirmedIn }: ApiToken): string =>
  unconfirmedIn
    ? t('parts.keyUnconfirmedIn', { businesses: unconfirmedIn.map(nameOf).join(', ') })
    : t('parts.keyUnconfirmed');
