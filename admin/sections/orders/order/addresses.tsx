/** The addresses of an order, and a dialog to change them. */
import type { Order, PartialAddress } from '@souk/client';
import { useState } from 'preact/hooks';
import { AddressLines } from '../../../parts/address-lines.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { RecordNotices } from '../../../parts/editing/record-view.tsx';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { AddressForms, type AddressValues, addressValues, toAddresses } from '../../../parts/form/address-forms.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/page.tsx';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { pickupOf } from '../data.ts';

type Props = { order: Order; done: (order: Order) => void };

export function OrderAddresses({ order, done }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { shippingAddress, billingAddress } = order;
  const pickup = pickupOf(order);
  return (
    <Section title={t('addresses.title')}>
      {pickup && <Part title={t('addresses.pickup')} address={pickup} />}
      {(shippingAddress || !pickup) && <Part title={t('addresses.shipping')} address={shippingAddress} />}
      {billingAddress ? (
        <Part title={t('addresses.billing')} address={billingAddress} />
      ) : (
        shippingAddress && (
          <p>
            <small class="quiet">{t('addresses.billing')}</small>
            <br />
            {t('addresses.sameAsShipping')}
          </p>
        )
      )}
      {order.vatCheck && <p class="small">{t(`taxes.vat_${order.vatCheck}`)}</p>}
      {can('ORDER_WRITE') && (
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          {t('addresses.edit')}
        </button>
      )}
      {isOpen && <EditAddresses order={order} done={done} close={() => setOpen(false)} />}
    </Section>
  );
}

const Part = ({ title, address }: { title: string; address: PartialAddress | null }) => (
  <div>
    <small class="quiet">{title}</small>
    {address ? <AddressLines address={address} withContact /> : <p>{t('addresses.none')}</p>}
  </div>
);

function EditAddresses({ order, done, close }: Props & { close: () => void }) {
  const version = (read: Order) => ({
    values: addressValues(read),
    etag: read.etag,
  });
  const record = useRecord<AddressValues>({
    key: `order addresses ${order.id}`,
    load: async (signal) => version(await souk.orders.get(order.id, { signal })),
    save: async (_changes, { ifMatch, values }) => {
      const changed = await souk.orders.update({ id: order.id, ...toAddresses(values) }, ifMatch ? { ifMatch } : {});
      done(changed);
      return version(changed);
    },
    saved: close,
  });
  return (
    <Dialog title={t('addresses.edit')} close={close} wide>
      <RecordNotices record={record} names={{ shipping: t('addresses.shipping'), billing: t('addresses.billing') }} />
      {record.values && (
        <Form submit={record.save} busy={record.isSaving}>
          <AddressForms values={record.values} set={record.set} problem={record.problem} />
          {order.paid === 0 && <p class="hint">{t('addresses.repriceHint')}</p>}
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
