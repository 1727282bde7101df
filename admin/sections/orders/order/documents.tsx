/** Invoices and credit notes of an order. */
import type { Order, OrderDocument } from '@souk/client';
import { Download } from '../../../parts/download.tsx';
import { useLoad } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { DateTime, Money } from '../../../parts/show.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

/** Loaded again whenever the order changes. */
export function useDocuments({ id, updatedAt, refunded }: Order): readonly OrderDocument[] {
  const { data = [] } = useLoad(`documents of ${id} ${updatedAt} ${refunded}`, async (signal) => {
    const { items } = await souk.orders.listDocuments(id, { signal }).page();
    return items;
  });
  return data;
}

export function Documents({ order }: { order: Order }) {
  const documents = useDocuments(order);
  if (documents.length === 0) return null;
  return (
    <Section title={t('invoices.documents')}>
      <ul class="documents">
        {documents.map(({ id, type, number, issuedAt, total, currency, urls }) => (
          <li key={id}>
            <div>
              {t(`invoices.${type}`, { number })}
              <small class="quiet">
                <DateTime at={issuedAt} /> · <Money amount={total} currency={currency} />
              </small>
            </div>
            <div class="actions">
              <Download
                label="PDF"
                name={t('invoices.pdfOf', { number })}
                load={() => souk.orders.getDocumentPdf(order.id, id)}
              />
              {urls.xml && (
                <Download
                  label="XML"
                  name={t('invoices.xmlOf', { number })}
                  load={() => souk.orders.getDocumentXml(order.id, id)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
