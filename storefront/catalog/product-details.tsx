/** Details that the law requires on a product page: manufacturer and safety information. */
import type { Product } from '@souk/client';
import { useSite } from '../island.tsx';

type Contact = NonNullable<Product['manufacturer']>;

export function ProductDetails({ product: { manufacturer, safety } }: { product: Product }) {
  const { catalog: words } = useSite().texts;
  if (!manufacturer && !safety) return null;
  return (
    <details class="product-details">
      <summary>{words.safety}</summary>
      {safety?.warnings && (
        <>
          <h3>{words.warnings}</h3>
          <p class="lines">{safety.warnings}</p>
        </>
      )}
      {manufacturer && <ContactLines title={words.manufacturer} contact={manufacturer} />}
      {safety?.responsiblePerson && <ContactLines title={words.responsible} contact={safety.responsiblePerson} />}
    </details>
  );
}

const ContactLines = ({ title, contact: { name, address, email, url } }: { title: string; contact: Contact }) => (
  <>
    <h3>{title}</h3>
    <address>
      <span>{name}</span>
      {address && <span class="lines">{address}</span>}
      {email && <a href={`mailto:${email}`}>{email}</a>}
      {url && (
        <a href={url} rel="noopener nofollow">
          {url.replace(/^https?:\/\//, '')}
        </a>
      )}
    </address>
  </>
);
