import type { Block, BlockDefinition, Order } from '@souk/client';
import { BlockFields } from '../../parts/blocks/fields.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { RecordNotices } from '../../parts/editing/record-view.tsx';
import { useRecord } from '../../parts/editing/use-record.ts';
import { Form, optional, TextField } from '../../parts/form/form.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { configs } from './data.ts';

type Values = { email: string; blocks: Block[] };

export const orderFields = () => (configs().orderBlocks ?? []) as BlockDefinition[];

/** Edits the email address and the order fields. */
export function EditFields({ order, done, close }: { order: Order; done: (order: Order) => void; close: () => void }) {
  const version = (read: Order) => ({ values: { email: read.email ?? '', blocks: read.blocks }, etag: read.etag });
  const record = useRecord<Values>({
    key: `order fields ${order.id}`,
    load: async (signal) => version(await souk.orders.get(order.id, { signal })),
    save: async ({ email, blocks }, { ifMatch }) => {
      const changes = {
        ...(email === undefined ? {} : { email: email.trim() || null }),
        ...(blocks ? { blocks } : {}),
      };
      const changed = await souk.orders.update({ id: order.id, ...changes }, ifMatch ? { ifMatch } : {});
      done(changed);
      return version(changed);
    },
    saved: close,
  });
  return (
    <Dialog title={t('orders.editFields')} close={close}>
      <RecordNotices record={record} names={{ email: t('orders.email'), blocks: t('orders.fields') }} />
      {record.values && (
        <Form submit={record.save} busy={record.isSaving}>
          <TextField
            label={optional(t('orders.email'))}
            type="email"
            hint={t('orders.emailHint')}
            {...record.bind('email')}
          />
          <BlockFields
            value={record.values.blocks}
            onInput={(blocks) => record.set('blocks', blocks)}
            error={record.error}
            definitions={orderFields()}
          />
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
