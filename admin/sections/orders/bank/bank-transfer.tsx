import type { Order } from '@souk/client';
import { Section } from '../../../parts/page.tsx';
import { DateTime, money } from '../../../parts/show.tsx';
import { t } from '../../../text/index.ts';

const inGroups = (text: string) => text.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** The bank transfer instructions of an order, and the payments received. */
export function BankTransferCard({ order }: { order: Order }) {
  const { bankTransfer, received, currency, total } = order;
  if (!bankTransfer && received === undefined) return null;
  const difference = (received ?? 0) - total;
  const rows: [string, string][] = [];
  if (received !== undefined) rows.push([t('bank.received'), money(received, currency)]);
  if (received !== undefined && difference > 0) rows.push([t('bank.surplusRow'), money(difference, currency)]);
  if (bankTransfer) {
    rows.push(
      [t('bank.open'), money(bankTransfer.amount, currency)],
      [t('bank.reference'), inGroups(bankTransfer.reference)],
      ['IBAN', inGroups(bankTransfer.iban)],
      [t('bank.holder'), bankTransfer.holder],
    );
  }
  return (
    <Section title={t('bank.transfer')}>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {bankTransfer && received === undefined && (
          <div>
            <dt>{t('bank.expires')}</dt>
            <dd>
              <DateTime at={bankTransfer.dueAt} />
            </dd>
          </div>
        )}
      </dl>
      {difference > 0 && <p class="quiet">{t('bank.surplusHint')}</p>}
      {received !== undefined && difference < 0 && bankTransfer && <p class="quiet">{t('bank.partialHint')}</p>}
    </Section>
  );
}
