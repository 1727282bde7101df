/** The next step of a return: approve or reject, receive, refund or exchange. Its fields are prefilled, so that one click is enough. */
import type { ListedProduct, Order, Quote, Return } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm, Dialog } from '../../../parts/dialog.tsx';
import { CheckField, Form, optional, TextField } from '../../../parts/form/form.tsx';
import { MoneyField } from '../../../parts/form/number-fields.tsx';
import { Pick } from '../../../parts/form/pick.tsx';
import { useAction } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { money } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { configs } from '../data.ts';
import { type Item, Items } from '../new/new-items.tsx';
import { useQuote } from '../quote.ts';

type Props = { record: Return; order: Order; done: () => void };

export function NextStep(props: Props) {
  const { status, type, lines } = props.record;
  const hasShippedItems = lines.some(({ quantity, unshipped }) => quantity > unshipped);
  if (status === 'CLOSED' || status === 'REJECTED') return null;
  if (status === 'RECEIVED' || !hasShippedItems)
    return type === 'EXCHANGE' ? <Exchange {...props} /> : <Refund {...props} />;
  return status === 'REQUESTED' ? <Approve {...props} /> : <Receive {...props} />;
}

function Approve({ record, done }: Props) {
  const { instructions: stored = '', address = '' } = configs().returns ?? {};
  const [instructions, setInstructions] = useState([stored, address].filter(Boolean).join('\n\n'));
  const [labelUrl, setLabelUrl] = useState('');
  const { run, isBusy, error } = useAction(async () => {
    await souk.orders.approveReturn(record.id, {
      ...(instructions.trim() ? { instructions } : {}),
      ...(labelUrl.trim() ? { labelUrl: labelUrl.trim() } : {}),
    });
    toast(t('returns.approved'));
    done();
  });
  return (
    <Section title={t('returns.next')}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} fields />
        {!record.rejectable && <p class="notice">{t('returns.binding')}</p>}
        <TextField
          label={optional(t('returns.instructions'))}
          hint={t('returns.approveText')}
          multiline
          rows={3}
          value={instructions}
          onInput={setInstructions}
        />
        <TextField
          label={optional(t('returns.label'))}
          type="url"
          value={labelUrl}
          onInput={setLabelUrl}
          problem={problemOf(error, 'labelUrl')}
        />
        <div class="actions">
          <button type="submit">{t('returns.approve')}</button>
          <Reject record={record} done={done} />
        </div>
      </Form>
    </Section>
  );
}

function Reject({ record, done }: Short) {
  const [isOpen, setOpen] = useState(false);
  if (!record.rejectable) return null;
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {t('returns.reject')}
      </button>
      {isOpen && <RejectDialog record={record} done={done} close={() => setOpen(false)} />}
    </>
  );
}

type Short = Omit<Props, 'order'>;

function RejectDialog({ record, done, close }: Short & { close: () => void }) {
  const [reason, setReason] = useState('');
  const { run, isBusy, error } = useAction(async () => {
    await souk.orders.rejectReturn(record.id, { reason });
    toast(t('returns.rejected'));
    done();
  });
  return (
    <Dialog title={t('returns.rejectTitle')} close={close}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} fields />
        <TextField
          label={t('returns.rejectReason')}
          hint={t('returns.rejectHint')}
          multiline
          rows={3}
          required
          value={reason}
          onInput={setReason}
          problem={problemOf(error, 'reason')}
        />
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit" class="danger">
            {t('returns.reject')}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

function Receive({ record, done }: Props) {
  const [isRestocked, setRestocked] = useState(true);
  const { run, isBusy, error } = useAction(async () => {
    await souk.orders.receiveReturn(record.id, { restock: isRestocked });
    toast(t('returns.received'));
    done();
  });
  return (
    <Section title={t('returns.next')}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} />
        <p>{t('returns.receiveText')}</p>
        <CheckField
          label={t('returns.restock')}
          hint={t('returns.restockHint')}
          value={isRestocked}
          onInput={setRestocked}
        />
        <div class="actions">
          <button type="submit">{t('returns.receive')}</button>
          <Reject record={record} done={done} />
          <CloseButton record={record} done={done} />
        </div>
      </Form>
    </Section>
  );
}

function CloseButton({ record, done }: Short) {
  const [isOpen, setOpen] = useState(false);
  const { run, isBusy, error } = useAction(async () => {
    await souk.orders.closeReturn(record.id, { refund: false });
    toast(t('returns.closed'));
    done();
  });
  return (
    <>
      <button type="button" class="quiet" disabled={isBusy} onClick={() => setOpen(true)}>
        {t('returns.close')}
      </button>
      <Problem error={error} />
      {isOpen && (
        <Confirm
          title={t('returns.close')}
          text={t('returns.closeText')}
          action={t('returns.close')}
          run={run}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}

function Refund({ record, order, done }: Props) {
  const { value = 0 } = record;
  const [amount, setAmount] = useState<number | null>(value);
  const { run, isBusy, error } = useAction(async () => {
    await souk.orders.closeReturn(record.id, { refund: true, ...(amount && amount < value ? { amount } : {}) });
    toast(t('returns.refunded'));
    done();
  });
  return (
    <Section title={t('returns.next')}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} />
        {value > 0 && (
          <MoneyField
            label={t('returns.refundAmount')}
            hint={t('returns.refundText')}
            currency={order.currency}
            value={amount}
            onInput={setAmount}
          />
        )}
        <div class="actions">
          {value > 0 && (
            <button type="submit">
              {t('returns.refund', { amount: money(Math.min(amount ?? value, value), order.currency) })}
            </button>
          )}
          <CloseButton record={record} done={done} />
        </div>
      </Form>
    </Section>
  );
}

function Exchange({ record, order, done }: Props) {
  const [items, setItems] = useState<Item[]>([]);
  const [isChecked, setChecked] = useState(false);
  const { market, shippingAddress, billingAddress } = order;
  const lines = items.map(({ product, variantId, quantity }) => ({ productId: product.id, variantId, quantity }));
  const { quote, error: quoteError } = useQuote({
    market,
    items: lines,
    ...(shippingAddress ? { shippingAddress } : {}),
    ...(billingAddress ? { billingAddress } : {}),
  });
  const { run, isBusy, error } = useAction(async () => {
    setChecked(true);
    if (items.length === 0) return;
    await souk.orders.closeReturn(record.id, { refund: true, exchange: { lines } });
    toast(t('returns.exchanged'));
    done();
  });
  const refund = useAction(async () => {
    await souk.orders.closeReturn(record.id, { refund: true });
    toast(t('returns.refunded'));
    done();
  });
  const amount = money(record.value ?? 0, order.currency);
  return (
    <Section title={t('returns.next')}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error ?? refund.error ?? quoteError} fields />
        <p>{t('returns.exchangeText', { amount })}</p>
        <Items items={items} market={order.market} change={setItems} error={error} />
        <Pick<ListedProduct>
          label={t('orders.addProduct')}
          find={async (query, signal) => (await souk.products.list({ query, limit: 8 }, { signal }).page()).items}
          show={({ id, name, category }) => ({ id, text: name, detail: category })}
          choose={(product) => setItems([...items, { product, variantId: product.variants[0]?.id ?? '', quantity: 1 }])}
          problem={isChecked && items.length === 0 ? t('orders.needsItems') : undefined}
        />
        <p role="status">{quote && items.length > 0 && differenceText(quote, record, order)}</p>
        <div class="actions">
          <button type="submit">{t('returns.exchange')}</button>
          <button type="button" class="quiet" disabled={refund.isBusy} onClick={refund.run}>
            {t('returns.refund', { amount })}
          </button>
          <CloseButton record={record} done={done} />
        </div>
      </Form>
    </Section>
  );
}

/** What the customer pays or gets back. The quote is in the currency of the market, which can differ from the order's. */
function differenceText({ total, currency }: Quote, { value = 0 }: Return, order: Order): string {
  if (currency !== order.currency) return '';
  const amount = money(Math.abs(total - value), currency);
  const text =
    total > value ? 'returns.differenceDue' : total < value ? 'returns.differenceBack' : 'returns.noDifference';
  return t(text, { total: money(total, currency), amount });
}
