/** Where an order goes, on its page. */
import type { Order, PartialAddress } from '@souk/client';
import { business } from '../shop.ts';
import { addressLines } from './address-lines.ts';
import { useFormat } from './countries.ts';

export function OrderDelivery({ order }: { order: Order }) {
  const { shippingAddress, billingAddress, shippingMethodId, pickupLocationId } = order;
  const method = business.value?.configs.shippingMethods?.find(({ id }) => id === shippingMethodId);
  const location = method?.locations?.find(({ id }) => id === pickupLocationId);
  const text = order.blocks.find(({ id }) => id === 'address')?.value;
  return (
    <>
      {shippingAddress && <AddressPart title="Shipping address" address={shippingAddress} />}
      {!shippingAddress && typeof text === 'string' && (
        <>
          <h2>Shipping address</h2>
          <p>{text}</p>
        </>
      )}
      {location && <AddressPart title="Pickup location" address={{ ...location.address, name: location.name }} />}
      {method && (
        <>
          <h2>Shipping method</h2>
          <p>{[method.name ?? method.id, method.etaText].filter(Boolean).join(', ')}</p>
        </>
      )}
      {billingAddress && <AddressPart title="Billing address" address={billingAddress} />}
    </>
  );
}

function AddressPart({ title, address }: { title: string; address: PartialAddress }) {
  const { format } = useFormat(/^[A-Z]{2}$/.test(address.country ?? '') ? address.country : undefined);
  const lines = [...addressLines(address, format), ...(address.vatId ? [`VAT ID ${address.vatId}`] : [])];
  return (
    <>
      <h2>{title}</h2>
      <address>
        {lines.map((line, i) => (
          <div key={i}>
            <bdi>{line}</bdi>
          </div>
        ))}
      </address>
    </>
  );
}
