/** Actions on the selected orders of the list. Each order succeeds or fails on its own. */
import type { Order, OrderStatusResults } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, TagsField } from '../../../parts/form/form.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { errorText, t } from '../../../text/index.ts';

type Chosen = Pick<Order, 'id' | 'number'>;
type Failure = { number: number; message: string };

/** The limit of a request. */
const MAX = 100;

export function OrderBulk({ chosen, clear }: { chosen: Chosen[]; clear: () => void }) {
  const [open, setOpen] = useState<'ship' | 'tag' | null>(null);
  const ids = chosen.slice(0, MAX).map(({ id }) => id);
  const print = (document: string) => href(`/orders/print?document=${document}&ids=${ids.join(',')}`);
  const close = () => setOpen(null);
  return (
    <>
      {can('ORDER_WRITE') && (
        <>
          <button type="button" class="quiet" onClick={() => setOpen('ship')}>
            {t('orders.bulkShip')}
          </button>
          <button type="button" class="quiet" onClick={() => setOpen('tag')}>
            {t('orders.bulkTag')}
          </button>
        </>
      )}
      <a class="button quiet" href={print('packing-slip')}>
        {t('orders.bulkSlips')}
      </a>
      <a class="button quiet" href={print('invoice')}>
        {t('orders.bulkInvoices')}
      </a>
      {chosen.length > MAX && <span class="small">{t('orders.bulkMax', { count: MAX })}</span>}
      {open === 'ship' && <ShipAll chosen={chosen.slice(0, MAX)} clear={clear} close={close} />}
      {open === 'tag' && <TagAll chosen={chosen.slice(0, MAX)} clear={clear} close={close} />}
    </>
  );
}

type Props = { chosen: Chosen[]; clear: () => void; close: () => void };

/** Runs a bulk request. Closes the dialog if every order succeeded, and returns the failures otherwise. */
function useBulk({ chosen, clear, close }: Props, send: () => Promise<OrderStatusResults>, done: string) {
  const [failures, setFailures] = useState<Failure[]>([]);
  const action = useAction(async () => {
    const { items } = await send();
    const failed = items.flatMap(({ error }, i) =>
      error ? [{ number: chosen[i]!.number, message: errorText(error.details[0] ?? error) }] : [],
    );
    forget('list orders');
    forget('order ');
    forget('home');
    setFailures(failed);
    if (failed.length < chosen.length) toast(t(done as 'orders.bulkShipped', { count: chosen.length - failed.length }));
    if (failed.length > 0) return;
    clear();
    close();
  });
  return { ...action, failures };
}

function ShipAll(props: Props) {
  const { chosen, close } = props;
  const items = chosen.map(({ id }) => ({ orderId: id, status: 'SHIPPED' as const }));
  const { run, isBusy, error, failures } = useBulk(
    props,
    () => souk.orders.setStatuses({ items }),
    'orders.bulkShipped',
  );
  return (
    <Dialog title={t('orders.bulkShipTitle', { count: chosen.length })} close={close}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} />
        <Failures failures={failures} />
        <p>{t('orders.bulkShipText')}</p>
        <Actions close={close} label={t('orders.bulkShip')} isDone={failures.length > 0} />
      </Form>
    </Dialog>
  );
}

function TagAll(props: Props) {
  const { chosen, close } = props;
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const { run, isBusy, error, failures } = useBulk(
    props,
    async () => {
      const results = await souk.orders.setTags({ items: chosen.map(({ id }) => ({ orderId: id, add, remove })) });
      forget('order tags');
      return results;
    },
    'orders.bulkTagged',
  );
  return (
    <Dialog title={t('orders.bulkTagTitle', { count: chosen.length })} close={close}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} />
        <Failures failures={failures} />
        <TagsField label={t('orders.addTags')} hint={t('orders.tagsHint')} value={add} onInput={setAdd} />
        <TagsField label={t('orders.removeTags')} hint={t('orders.tagsHint')} value={remove} onInput={setRemove} />
        <Actions close={close} label={t('parts.save')} isDone={failures.length > 0} />
      </Form>
    </Dialog>
  );
}

function Failures({ failures }: { failures: Failure[] }) {
  if (failures.length === 0) return null;
  return (
    <div class="problem" role="alert">
      <p>{t('orders.bulkFailed', { count: failures.length })}</p>
      <ul>
        {failures.map(({ number, message }) => (
          <li key={number}>
            {`#${number}`}: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

const Actions = ({ close, label, isDone }: { close: () => void; label: string; isDone: boolean }) => (
  <div class="actions end">
    <button type="button" class="quiet" onClick={close}>
      {t(isDone ? 'parts.close' : 'parts.cancel')}
    </button>
    <button type="submit">{label}</button>
  </div>
);
