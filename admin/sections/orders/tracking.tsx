/** The tracking of a shipment: its fields, a dialog that changes it, and a link. */
import type { Order, Shipment, Tracking } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, optional, TextField } from '../../parts/form/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.tsx';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

/** The fields, and their values in the format of a request. */
export function useTracking(initial: Tracking | undefined, error: unknown) {
  const [values, setValues] = useState({ carrier: '', number: '', url: '', ...initial });
  const given: Tracking = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const bind = (name: 'carrier' | 'number' | 'url') => ({
    value: values[name],
    onInput: (value: string) => setValues({ ...values, [name]: value }),
    problem: problemOf(error, `tracking.${name}`),
  });
  const fields = (
    <>
      <TextField label={optional(t('orders.carrier'))} {...bind('carrier')} />
      <TextField label={optional(t('orders.trackingNumber'))} {...bind('number')} />
      <TextField label={optional(t('orders.trackingUrl'))} type="url" {...bind('url')} />
    </>
  );
  return { fields, tracking: Object.keys(given).length > 0 ? { tracking: given } : {} };
}

type DialogProps = { order: Order; shipment: Shipment; done: (order: Order) => void; close: () => void };

export function TrackingDialog({ order, shipment, done, close }: DialogProps) {
  const { run, isBusy, error } = useAction(async () => {
    await souk.orders.updateShipment(order.id, shipment.id, { tracking: null, ...tracking });
    done(await souk.orders.get(order.id));
    close();
    toast(t('orders.trackingSaved'));
  });
  const { fields, tracking } = useTracking(shipment.tracking, error);
  return (
    <Dialog title={t('orders.editTracking')} close={close}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} fields />
        {fields}
        <p class="hint">{t('orders.editTrackingHint')}</p>
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit">{t('parts.save')}</button>
        </div>
      </Form>
    </Dialog>
  );
}

export function TrackingLink({ tracking: { carrier, number, url } }: { tracking: Tracking }) {
  return (
    <>
      {carrier}{' '}
      {url && /^https?:/.test(url) ? (
        <a href={url} rel="noreferrer" target="_blank">
          {number || url}
        </a>
      ) : (
        number
      )}
    </>
  );
}
