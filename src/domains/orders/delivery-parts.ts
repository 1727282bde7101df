/** Where an order goes and how, as emails and pages show it. Pure. */
import { addressLines } from '../../shared/addresses/index.ts';
import type { Configs } from '../businesses/index.ts';
import type { OrderDoc } from './order.ts';

export type DeliveryPart = { title: string; lines: string[] };

export function deliveryParts(doc: OrderDoc, { shippingMethods = [] }: Configs): DeliveryPart[] {
  const { shippingAddress, shippingMethodId, pickupLocationId } = doc;
  const method = shippingMethods.find(({ id }) => id === shippingMethodId);
  const location = method?.locations?.find(({ id }) => id === pickupLocationId);
  const how = [method?.name, method?.etaText].filter(Boolean).join(', ');
  const parts = [
    { title: 'Shipping address', lines: shippingAddress ? addressLines(shippingAddress) : [] },
    { title: 'Pickup location', lines: location ? addressLines({ ...location.address, name: location.name }) : [] },
    { title: 'Shipping method', lines: how ? [how] : [] },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

const MAX_LINE = 80;
/** Mail programs turn these into links. */
const LINK = /@|:\/\/|www\.|[^\s.][.。．｡]\p{L}{2,}/iu;

const isHarmless = (line: string) => line.length <= MAX_LINE && !LINK.test(line);

/**
 * The parts in an email. Anyone can enter any email address, so an unverified one only gets short lines without links and
 * without a company: nothing that could be an advertisement.
 */
export function mailedDelivery(doc: OrderDoc, configs: Configs): DeliveryPart[] {
  const { isEmailTyped, shippingAddress } = doc;
  if (!isEmailTyped || !shippingAddress) return deliveryParts(doc, configs);
  const lines = addressLines({ ...shippingAddress, company: null }).filter(isHarmless);
  return deliveryParts(doc, configs).map((part) => (part.title === 'Shipping address' ? { ...part, lines } : part));
}
