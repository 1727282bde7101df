/** Chooses an issue of the newsletter, or writes a new one. */
import type { ListedEntry } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, SelectField, TextField } from '../../../parts/form/form.tsx';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { entryName } from '../../../parts/records/sources.ts';
import { statusOf } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { language, t } from '../../../text/index.ts';

const MAX_ENTRIES = 100;
const isPublished = ({ statuses }: ListedEntry) => statusOf(statuses) === 'PUBLISHED';
const keyOf = (collectionId: string) => `emails of ${collectionId}`;

type Props = { collectionId: string; value: string; onInput: (entryId: string) => void; problem: string | undefined };

export function MailFields({ collectionId, value, onInput, problem }: Props) {
  const [isWriting, setWriting] = useState(false);
  const entries = useLoad(keyOf(collectionId), async (signal) =>
    collectionId ? souk.entries.list({ collectionId, limit: MAX_ENTRIES }, { signal }).take(MAX_ENTRIES) : [],
  );
  const chosen = entries.data?.find(({ id }) => id === value);
  const nameOf = (entry: ListedEntry) =>
    isPublished(entry) ? entryName(entry) : t('automations.draftEmail', { name: entryName(entry) });
  const isUnknown = value === '' || (entries.data && !chosen);
  return (
    <>
      <SelectField
        label={t('automations.email')}
        required
        disabled={collectionId === ''}
        value={isUnknown ? '' : value}
        options={[
          ...(isUnknown ? [['', t('automations.chooseEmail')] as const] : []),
          ...(entries.data ?? []).map((entry) => [entry.id, nameOf(entry)] as const),
        ]}
        onInput={onInput}
        problem={problem}
        {...(chosen && !isPublished(chosen) ? { hint: t('automations.draftHint') } : {})}
      />
      <div class="actions">
        {chosen && <a href={href(`/newsletters/${collectionId}/${chosen.id}`)}>{t('automations.editEmail')}</a>}
        {can('CONTENT_WRITE') && collectionId !== '' && (
          <button type="button" class="link" onClick={() => setWriting(true)}>
            {t('automations.writeEmail')}
          </button>
        )}
      </div>
      {isWriting && (
        <WriteDialog
          collectionId={collectionId}
          close={() => setWriting(false)}
          created={(entryId) => {
            entries.reload();
            onInput(entryId);
          }}
        />
      )}
    </>
  );
}

type WriteProps = { collectionId: string; close: () => void; created: (entryId: string) => void };

function WriteDialog({ collectionId, close, created }: WriteProps) {
  const [subject, setSubject] = useState('');
  const create = useAction(async () => {
    const { blocks } = await souk.collections.get(collectionId);
    const texts = blocks.filter(({ type }) => type === 'TEXT');
    const block = ['subject', 'title'].map((id) => texts.find((each) => each.id === id)).find(Boolean) ?? texts[0];
    const locale = language.value;
    const value = block?.settings?.localized ? { [locale]: subject } : subject;
    const entry = await souk.entries.create({
      collectionId,
      locale,
      statuses: [{ status: 'DRAFT' }],
      blocks: block ? [{ id: block.id, type: 'TEXT', value }] : [],
    } as never);
    forget(`list entries ${collectionId}`);
    forget(keyOf(collectionId));
    created(entry.id);
    toast(t('automations.created'));
    close();
  });
  return (
    <Dialog title={t('automations.writeEmail')} close={close}>
      <Form submit={() => create.run()} busy={create.isBusy}>
        <Problem error={create.error} fields />
        <TextField
          label={t('automations.subject')}
          hint={t('automations.writeHint')}
          required
          value={subject}
          onInput={setSubject}
        />
        <div class="actions end">
          <button type="submit">{t('automations.create')}</button>
        </div>
      </Form>
    </Dialog>
  );
}
