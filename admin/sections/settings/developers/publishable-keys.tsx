/** The publishable keys of the business. Their values are not secret. */
import type { PublishableKey } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm, Dialog, DialogActions } from '../../../parts/dialog.tsx';
import { Form, TagsField, TextField } from '../../../parts/form/form.tsx';
import { useAction, useLoad } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

const MAX_RESULTS = 200;

export function PublishableKeys() {
  const { data, error, reload } = useLoad(`publishable-keys ${business.value?.id}`, (signal) =>
    souk.publishableKeys.list({ limit: 100 }, { signal }).take(MAX_RESULTS),
  );
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<PublishableKey | null>(null);
  const remove = useAction(async ({ id, name }: PublishableKey) => {
    await souk.publishableKeys.delete(id);
    toast(t('sso.keyDeleted', { name }));
    reload();
  });
  const newButton = (
    <button type="button" onClick={() => setCreating(true)}>
      {t('sso.newPublishable')}
    </button>
  );
  return (
    <Section title={t('sso.publishableKeys')} actions={newButton}>
      <p class="quiet">{t('sso.publishableText')}</p>
      <Problem error={error ?? remove.error} retry={error ? reload : undefined} />
      {!data && !error && <SkeletonRows count={1} />}
      {data?.length === 0 && <p>{t('sso.noPublishable')}</p>}
      <ul class="entries" aria-label={t('sso.publishableKeys')}>
        {data?.map((key) => (
          <li key={key.id}>
            <span>{key.name}</span>
            <code class="breaks">{key.value}</code>
            <span class="small quiet breaks">{key.origins.join(', ')}</span>
            <button
              type="button"
              class="quiet"
              aria-label={t('sso.deleteKey', { name: key.name })}
              onClick={() => setDeleted(key)}
            >
              {t('parts.delete')}
            </button>
          </li>
        ))}
      </ul>
      {isCreating && (
        <NewPublishableKey
          close={() => setCreating(false)}
          done={() => {
            setCreating(false);
            toast(t('sso.publishableCreated'));
            reload();
          }}
        />
      )}
      {deleted && (
        <Confirm
          title={t('sso.deleteKey', { name: deleted.name })}
          text={t('sso.deleteKeyText')}
          action={t('parts.delete')}
          run={() => remove.run(deleted)}
          close={() => setDeleted(null)}
        />
      )}
    </Section>
  );
}

function NewPublishableKey({ close, done }: { close: () => void; done: () => void }) {
  const [name, setName] = useState('');
  const [origins, setOrigins] = useState<string[]>([]);
  const { run, isBusy, error } = useAction(async () => {
    await souk.publishableKeys.create({ name: name.trim(), origins });
    done();
  });
  return (
    <Dialog title={t('sso.newPublishable')} close={close}>
      <Problem error={error} fields />
      <Form submit={run} busy={isBusy}>
        <TextField label={t('parts.keyName')} value={name} onInput={setName} problem={problemOf(error, 'name')} />
        <TagsField
          label={t('sso.origins')}
          hint={t('sso.originsHint')}
          value={origins}
          onInput={setOrigins}
          problem={problemOf(error, 'origins') ?? problemOf(error, 'origins[0]')}
        />
        <DialogActions close={close} label={t('parts.createKey')} />
      </Form>
    </Dialog>
  );
}
