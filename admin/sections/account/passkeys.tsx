import type { Factors, Passkey } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { Form, TextField } from '../../parts/form/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { DateTime } from '../../parts/show.tsx';
import { toast } from '../../parts/toast.tsx';
import { createPasskey, hasPasskeys, isIpAddress } from '../../shell/passkeys.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

/** `changed` gets the recovery codes of the first factor. */
type Props = { passkeys: Factors['passkeys']; changed: (recoveryCodes?: string[]) => void };

export function Passkeys({ passkeys, changed }: Props) {
  const [naming, setNaming] = useState<Passkey | 'new' | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const remove = useAction(async ({ id }: Passkey) => {
    await souk.users.deletePasskey(id);
    toast(t('security.passkeyRemoved'));
    changed();
  });
  const add = hasPasskeys && (
    <button type="button" class="quiet" onClick={() => setNaming('new')}>
      {t('security.addPasskey')}
    </button>
  );
  return (
    <Section title={t('security.passkeys')} actions={add}>
      <p>{t('security.passkeysText')}</p>
      {isIpAddress && <LocalhostHint />}
      <Problem error={remove.error} />
      {passkeys.length === 0 && <p class="quiet">{t('security.noPasskeys')}</p>}
      <ul class="entries" aria-label={t('security.passkeys')} hidden={passkeys.length === 0}>
        {passkeys.map((passkey) => (
          <li key={passkey.id}>
            <span>{passkey.name}</span>
            <span class="small quiet">
              {`${t('security.onHost', { host: passkey.host })} · ${t('security.created')} `}
              <DateTime at={passkey.createdAt} />
              {` · ${t(passkey.lastUsedAt === null ? 'security.neverUsed' : 'security.lastUsed')} `}
              {passkey.lastUsedAt !== null && <DateTime at={passkey.lastUsedAt} />}
            </span>
            <span class="actions">
              <button
                type="button"
                class="quiet"
                aria-label={`${t('security.rename')}: ${passkey.name}`}
                onClick={() => setNaming(passkey)}
              >
                {t('security.rename')}
              </button>
              <button
                type="button"
                class="quiet"
                aria-label={`${t('security.remove')}: ${passkey.name}`}
                onClick={() => setRemoving(passkey)}
              >
                {t('security.remove')}
              </button>
            </span>
          </li>
        ))}
      </ul>
      {naming && <NameDialog passkey={naming} changed={changed} close={() => setNaming(null)} />}
      {removing && (
        <Confirm
          title={t('security.removePasskey', { name: removing.name })}
          text={t('security.removePasskeyText')}
          action={t('security.remove')}
          run={() => remove.run(removing)}
          close={() => setRemoving(null)}
        />
      )}
    </Section>
  );
}

function LocalhostHint() {
  const url = new URL(location.href);
  url.hostname = 'localhost';
  return (
    <p class="notice">
      {`${t('security.ipAddress')} `}
      <a href={url.href}>{url.origin}</a>
    </p>
  );
}

type NameProps = Pick<Props, 'changed'> & { passkey: Passkey | 'new'; close: () => void };

function NameDialog({ passkey, changed, close }: NameProps) {
  const isNew = passkey === 'new';
  const [name, setName] = useState(isNew ? '' : passkey.name);
  const { run, isBusy, error } = useAction(async () => {
    if (!isNew) {
      await souk.users.updatePasskey(passkey.id, { name: name.trim() });
      toast(t('security.passkeyRenamed'));
      changed();
    } else {
      const { challenge, options } = await souk.users.getPasskeyOptions();
      const credential = await createPasskey(options);
      const added = await souk.users.createPasskey({ challenge, credential, name: name.trim() });
      toast(t('security.passkeyAdded'));
      changed(added.recoveryCodes);
    }
    close();
  });
  return (
    <Dialog title={t(isNew ? 'security.addPasskey' : 'security.rename')} close={close}>
      <Problem error={error} />
      <Form submit={run} busy={isBusy}>
        <TextField
          label={t('security.passkeyName')}
          hint={t('security.passkeyNameHint')}
          maxLength={100}
          value={name}
          onInput={setName}
        />
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit" disabled={isBusy || name.trim() === ''}>
            {t(isNew ? 'security.continue' : 'parts.save')}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
