import type { Order } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, SelectField } from '../../../parts/form/form.tsx';
import { useAction } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

const KINDS = ['RECEIVED', 'PAID', 'SHIPPED', 'CANCELLED', 'REFUNDED'] as const;
type Kind = (typeof KINDS)[number];

/** The emails that match the order's status, latest last. */
function kindsOf({ statuses, shipments, paid, refunded, exchanged = 0 }: Order): Kind[] {
  const isAvailable: Record<Kind, boolean> = {
    RECEIVED: true,
    PAID: paid > 0,
    SHIPPED: shipments.length > 0,
    CANCELLED: statuses.at(-1)?.status === 'CANCELLED',
    REFUNDED: refunded > exchanged,
  };
  return KINDS.filter((kind) => isAvailable[kind]);
}

/** Resends an email about the order. */
export function ResendDialog({ order, close }: { order: Order; close: () => void }) {
  const kinds = kindsOf(order);
  const [kind, setKind] = useState<Kind>(kinds.at(-1)!);
  const { run, isBusy, error } = useAction(async () => {
    const { email } = await souk.orders.resendMail(order.id, { kind });
    toast(t('orders.resent', { email }));
    close();
  });
  return (
    <Dialog title={t('orders.resend')} close={close}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} />
        <SelectField
          label={t('orders.resendWhich')}
          hint={t('orders.resendTo', { email: order.email ?? '' })}
          value={kind}
          onInput={setKind}
          options={kinds.map((each) => [each, t(`mails.kind_${each}`)])}
        />
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit">{t('orders.resendNow')}</button>
        </div>
      </Form>
    </Dialog>
  );
}
