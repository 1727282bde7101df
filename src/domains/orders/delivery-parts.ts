/** The delivery details of an order, as emails and pages show them. Pure. */
import { addressLines } from '../../shared/addresses/index.ts';
import { type Language, textsIn } from '../../shared/mail/languages.ts';
import type { Configs } from '../businesses/index.ts';
import type { OrderDoc } from './order.ts';

export type DeliveryPart = { title: string; lines: string[] };

export function deliveryParts(
  doc: OrderDoc,
  { shippingMethods = [] }: Configs,
  language: Language = 'en',
): DeliveryPart[] {
  const texts = textsIn(language).order;
  const { shippingAddress, shippingMethodId, pickupLocationId } = doc;
  const method = shippingMethods.find(({ id }) => id === shippingMethodId);
  const location = method?.locations?.find(({ id }) => id === pickupLocationId);
  const how = [method?.name, method?.etaText].filter(Boolean).join(', ');
  const parts = [
    { title: texts.shippingAddress, lines: shippingAddress ? addressLines(shippingAddress, language) : [] },
    {
      title: texts.pickupLocation,
      lines: location ? addressLines({ ...location.address, name: location.name }, language) : [],
    },
    { title: texts.shippingMethod, lines: how ? [how] : [] },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

const MAX_LINE = 80;
/** Email clients turn these into links. */
const LINK = /@|:\/\/|www\.|[^\s.][.。．｡]\p{L}{2,}/iu;

export const isHarmless = (line: string) => line.length <= MAX_LINE && !LINK.test(line);

/**
 * The parts in an email. Anyone can enter any email address, so an unverified one only gets short lines without links and
 * without a company: nothing that could be an advertisement.
 */
export function mailedDelivery(doc: OrderDoc, configs: Configs, language: Language): DeliveryPart[] {
  const { isEmailTyped, shippingAddress } = doc;
  if (!isEmailTyped || !shippingAddress) return deliveryParts(doc, configs, language);
  const lines = addressLines({ ...shippingAddress, company: null }, language).filter(isHarmless);
  const title = textsIn(language).order.shippingAddress;
  return deliveryParts(doc, configs, language).map((part) => (part.title === title ? { ...part, lines } : part));
}
