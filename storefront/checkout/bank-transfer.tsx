/** How to pay an order by bank transfer, with a QR code for banking apps. */
import type { BankTransfer } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { money } from '../shop.ts';

const inGroups = (text: string) => text.replaceAll(/(.{4})(?=.)/g, '$1 ');
const dateOf = (seconds: number) => new Date(seconds * 1000).toLocaleDateString('en', { dateStyle: 'long' });

export function BankTransferDetails({ transfer }: { transfer: BankTransfer }) {
  const { holder, iban, bic, bankName, reference, amount, currency, dueAt, epc } = transfer;
  const rows = [
    ['Amount', money(amount, currency)],
    ['Account holder', holder],
    ['IBAN', inGroups(iban)],
    ['BIC', bic],
    ['Bank', bankName],
    ['Reference', inGroups(reference)],
    ['Pay by', dateOf(dueAt)],
  ].filter(([, value]) => value);
  return (
    <section class="transfer" aria-labelledby="transfer">
      <h2 id="transfer">Bank transfer</h2>
      <p>Transfer the amount to this account and include the reference.</p>
      <div class="transfer-parts">
        <dl>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {epc && <QrCode text={epc} />}
      </div>
    </section>
  );
}

/** The library is loaded only for orders that show a code. */
function QrCode({ text }: { text: string }) {
  const [svg, setSvg] = useState<string | null>(null);
  useEffect(() => {
    import('uqr').then(
      ({ renderSVG }) => setSvg(renderSVG(text, { ecc: 'M', border: 4, pixelSize: 1 })),
      () => {},
    );
  }, [text]);
  if (!svg) return null;
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return <img class="qr" src={source} width="200" height="200" alt="QR code for your banking app" />;
}
