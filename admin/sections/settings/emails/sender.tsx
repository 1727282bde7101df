/** The sender address of emails, and the DNS records of its domain. */
import type { Sender, SenderRecord } from '@souk/client';
import { useState } from 'preact/hooks';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Form, TextField } from '../../../parts/form/form.tsx';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';

export default function Page() {
  return <SettingsPage path="sender">{() => <SenderSettings />}</SettingsPage>;
}

function SenderSettings() {
  const { data, error, reload } = useLoad(`sender ${business.value!.id}`, (signal) =>
    souk.businesses.getSender({ signal }),
  );
  const changed = () => {
    forget('sender');
    reload();
  };
  if (!data) return error ? <Problem error={error} /> : <SkeletonRows count={4} />;
  return (
    <>
      <Address key={data.address} sender={data} changed={changed} />
      {data.domain && <Records sender={data} changed={changed} />}
    </>
  );
}

type Props = { sender: Sender; changed: () => void };

function Address({ sender, changed }: Props) {
  const [address, setAddress] = useState(sender.address ?? '');
  const save = useAction(async () => {
    await souk.businesses.updateSender({ address: address.trim() });
    changed();
    toast(t('sender.saved'));
  });
  const remove = useAction(async () => {
    await souk.businesses.deleteSender();
    changed();
    toast(t('sender.removed'));
  });
  const { isVerified, from } = sender;
  return (
    <Section title={t('sender.title')}>
      <p class="quiet">{t('sender.text')}</p>
      <Form submit={() => save.run()}>
        <TextField
          label={t('sender.address')}
          type="email"
          autocomplete="off"
          placeholder="hello@example.com"
          value={address}
          onInput={setAddress}
        />
        <p class={isVerified ? 'notice good' : 'notice'}>
          {t(isVerified || !sender.address ? 'sender.now' : 'sender.notYet', { address: from })}
        </p>
        <Problem error={save.error ?? remove.error} />
        <div class="actions">
          <button type="submit" disabled={save.isBusy || !address.trim() || address.trim() === sender.address}>
            {t('sender.save')}
          </button>
          {sender.address && (
            <button type="button" class="quiet" disabled={remove.isBusy} onClick={() => remove.run()}>
              {t('sender.remove')}
            </button>
          )}
        </div>
      </Form>
    </Section>
  );
}

function Records({ sender: { domain, records, checkedAt }, changed }: Props) {
  const { isBusy, error, run } = useAction(async () => {
    await souk.businesses.checkSender();
    changed();
    toast(t('sender.checked'));
  });
  return (
    <Section
      title={t('sender.records')}
      actions={
        <button type="button" disabled={isBusy} onClick={() => run()}>
          {t('sender.check')}
        </button>
      }
    >
      <p class="quiet">{t('sender.recordsText', { domain: domain! })}</p>
      {checkedAt && (
        <p class="quiet small">
          {t('sender.lastChecked')} <DateTime at={checkedAt} />
        </p>
      )}
      <Problem error={error} />
      <ul class="dns-records">
        {records.map((record) => (
          <DnsRecord key={record.purpose} record={record} />
        ))}
      </ul>
    </Section>
  );
}

const LOOKS = { OK: 'good', MISSING: 'bad', WRONG: 'bad', UNKNOWN: 'wait' } as const;

function DnsRecord({ record: { purpose, name, value, state, found } }: { record: SenderRecord }) {
  const title = t(`sender.${purpose}`);
  const isRequired = purpose === 'OWNERSHIP' || purpose === 'DKIM';
  return (
    <li>
      <h3>
        {title} <span class={`badge ${LOOKS[state]}`}>{t(`sender.state_${state}`)}</span>{' '}
        <span class="quiet small">{t(isRequired ? 'sender.required' : 'sender.recommended')}</span>
      </h3>
      <p class="quiet">{t(`sender.about_${purpose}`)}</p>
      {state !== 'OK' && (
        <dl>
          <div>
            <dt>{t('sender.name')}</dt>
            <dd>
              <code>{name}</code> <CopyButton text={name} label={t('sender.copyName', { record: title })} />
            </dd>
          </div>
          <div>
            <dt>{t('sender.value')}</dt>
            <dd>
              <code>{value}</code> <CopyButton text={value} label={t('sender.copyValue', { record: title })} />
            </dd>
          </div>
          {found.length > 0 && (
            <div>
              <dt>{t('sender.found')}</dt>
              <dd>
                {found.map((text) => (
                  <code key={text}>{text}</code>
                ))}
              </dd>
            </div>
          )}
        </dl>
      )}
    </li>
  );
}
