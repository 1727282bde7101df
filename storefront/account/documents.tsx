/** The invoices and credit notes of an order, as downloads. */
import type { OrderDocument } from '@souk/client';
import { useSite } from '../island.tsx';
import { date, fill, link } from '../site.ts';

export function Documents({ orderId, documents }: { orderId: string; documents: OrderDocument[] }) {
  const site = useSite();
  const { order: words } = site.texts;
  if (documents.length === 0) return null;
  return (
    <section>
      <h2>{words.documents}</h2>
      <ul class="documents">
        {documents.map(({ id, type, number, issuedAt, urls }) => {
          const href = link(site, `/account/orders/${orderId}/documents/${id}`);
          return (
            <li key={id}>
              <a href={href}>{fill(words[type === 'INVOICE' ? 'invoice' : 'creditNote'], { number })}</a>{' '}
              <span class="quiet small">{date(issuedAt, site)}</span>
              {urls.xml && (
                <>
                  {' '}
                  <a href={`${href}${href.includes('?') ? '&' : '?'}format=xml`} class="small">
                    {fill(words.eInvoice, { number })}
                  </a>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
