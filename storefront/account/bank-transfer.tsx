/** The bank transfer instructions of an order, with a QR code for banking apps. */
import type { BankTransfer } from '@souk/client';
import { renderSVG } from 'uqr';
import { useSite } from '../island.tsx';
import { date, money } from '../site.ts';

const inGroups = (text: string) => text.replaceAll(/(.{4})(?=.)/g, '$1 ');

type Props = { transfer: BankTransfer; received?: number | undefined };

export function BankTransferDetails({ transfer, received = 0 }: Props) {
  const site = useSite();
  const { transfer: words } = site.texts;
  const { holder, iban, bic, bankName, reference, amount, currency, dueAt, epc } = transfer;
  const rows = [
    [words.received, received > 0 && money(received, currency, site)],
    [words.amount, money(amount, currency, site)],
    [words.holder, holder],
    [words.iban, inGroups(iban)],
    [words.bic, bic],
    [words.bank, bankName],
    [words.reference, inGroups(reference)],
    [words.payBy, date(dueAt, site)],
  ].filter(([, value]) => value);
  return (
    <section class="transfer" aria-labelledby="transfer">
      <h2 id="transfer">{words.title}</h2>
      <p>
        {words.text} {epc && words.scan}
      </p>
      <div class="transfer-parts">
        <dl>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {epc && (
          <img
            class="qr"
            src={`data:image/svg+xml,${encodeURIComponent(renderSVG(epc, { ecc: 'M', border: 4, pixelSize: 1 }))}`}
            width="200"
            height="200"
            alt={words.code}
          />
        )}
      </div>
    </section>
  );
}
