/** Adds a tag to the selected subscribers, or removes it. */
import type { ListedSubscription } from '@souk/client';
import { useState } from 'preact/hooks';
import { Form, TextField } from '../../../parts/form/form.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { useChoices } from '../segments/filter-values.tsx';

type Props = { newsletterId: string; chosen: ListedSubscription[]; clear: () => void };

export function BulkTag({ newsletterId, chosen, clear }: Props) {
  const [tag, setTag] = useState('');
  const choices = useChoices();
  const apply = useAction(async (isAdded: boolean) => {
    const name = tag.trim().toLowerCase();
    if (name === '') return;
    for (const { id, tags, etag } of chosen) {
      if (tags.includes(name) === isAdded) continue;
      const next = isAdded ? [...tags, name] : tags.filter((each) => each !== name);
      await souk.newsletters.updateSubscriber(newsletterId, id, { tags: next }, { ifMatch: etag });
    }
    forget(`list subscribers ${newsletterId}`);
    forget('segment choices');
    toast(t(isAdded ? 'audience.tagged' : 'audience.untagged', { count: chosen.length, tag: name }));
    setTag('');
    clear();
  });
  return (
    <Form class="bulk-tag" submit={() => apply.run(true)} busy={apply.isBusy}>
      <TextField
        label={t('audience.tag')}
        hideLabel
        placeholder={t('audience.tag')}
        list={choices.tags}
        value={tag}
        onInput={setTag}
      />
      <button type="submit">{t('audience.addTag')}</button>
      <button type="button" class="quiet" disabled={apply.isBusy} onClick={() => apply.run(false)}>
        {t('audience.removeTag')}
      </button>
      <Problem error={apply.error} />
    </Form>
  );
}
