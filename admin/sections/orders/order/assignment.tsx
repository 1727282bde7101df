/** The assignee and tags of an order. */
import type { Order } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { RecordNotices } from '../../../parts/editing/record-view.tsx';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { Form, SelectField, TagsField } from '../../../parts/form/form.tsx';
import { forget } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { can, me, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { useStaff } from '../staff.ts';

type Props = { order: Order; done: (order: Order) => void };

export function Assignment({ order, done }: Props) {
  const [isOpen, setOpen] = useState(false);
  const staff = useStaff();
  const { tags = [], assignee } = order;
  const name = staff.find(({ id }) => id === assignee)?.name ?? (assignee === me.value?.id ? me.value?.name : assignee);
  return (
    <Section title={t('orders.work')}>
      <dl class="facts">
        <div>
          <dt>{t('orders.assignee')}</dt>
          <dd>{assignee ? name : t('orders.unassigned')}</dd>
        </div>
        <div>
          <dt>{t('orders.tags')}</dt>
          <dd>
            {tags.length === 0 && t('orders.noTags')}
            {tags.map((tag) => (
              <span key={tag} class="badge tag">
                {tag}
              </span>
            ))}
          </dd>
        </div>
      </dl>
      {can('ORDER_WRITE') && (
        <div class="actions">
          <button type="button" class="quiet" onClick={() => setOpen(true)}>
            {t('orders.editWork')}
          </button>
        </div>
      )}
      {isOpen && <EditWork order={order} done={done} close={() => setOpen(false)} />}
    </Section>
  );
}

type Values = { tags: string[]; assignee: string };

function EditWork({ order, done, close }: Props & { close: () => void }) {
  const staff = useStaff();
  const version = (read: Order) => ({
    values: { tags: read.tags ?? [], assignee: read.assignee ?? '' },
    etag: read.etag,
  });
  const record = useRecord<Values>({
    key: `order work ${order.id}`,
    load: async (signal) => version(await souk.orders.get(order.id, { signal })),
    save: async ({ tags, assignee }, { ifMatch }) => {
      const changes = {
        ...(tags === undefined ? {} : { tags }),
        ...(assignee === undefined ? {} : { assignee: assignee || null }),
      };
      const changed = await souk.orders.update({ id: order.id, ...changes }, ifMatch ? { ifMatch } : {});
      forget('order tags');
      done(changed);
      return version(changed);
    },
    saved: close,
  });
  return (
    <Dialog title={t('orders.editWork')} close={close}>
      <RecordNotices record={record} names={{ tags: t('orders.tags'), assignee: t('orders.assignee') }} />
      {record.values && (
        <Form submit={record.save} busy={record.isSaving}>
          <SelectField
            label={t('orders.assignee')}
            options={[['', t('orders.unassigned')], ...staff.map(({ id, name }) => [id, name] as const)]}
            {...record.bind('assignee')}
          />
          <TagsField label={t('orders.tags')} hint={t('orders.tagsHint')} {...record.bind('tags')} />
          <div class="actions end">
            <button type="button" class="quiet" onClick={close}>
              {t('parts.cancel')}
            </button>
            <button type="submit">{t('parts.save')}</button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
