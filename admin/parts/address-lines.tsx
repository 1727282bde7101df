/** The lines of an address in the format of its country. */
import type { AddressFormat, PartialAddress } from '@souk/client';
import { t } from '../text/index.ts';
import { useAddressFormat } from './form/address-format.ts';
import { isoName } from './form/iso.ts';

type PlacePart = 'zip' | 'city' | 'state';
const isPlacePart = (name: string): name is PlacePart => ['zip', 'city', 'state'].includes(name);

type Props = { address: PartialAddress; withContact?: boolean };

/** `withContact` adds the phone number and the VAT ID. */
export function AddressLines({ address, withContact = false }: Props) {
  const format = useAddressFormat(address.country);
  return (
    <address class="address-lines">
      {linesOf(address, format, withContact).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </address>
  );
}

function linesOf(address: PartialAddress, format: AddressFormat | undefined, withContact: boolean): string[] {
  const { name, company, street, street2, country, phone, vatId } = address;
  const lines = [
    name,
    company,
    street,
    street2,
    placeLine(address, format),
    country && isoName('region', country),
    ...(withContact ? [phone, vatId && `${t('addresses.vatId')}: ${vatId}`] : []),
  ];
  return lines.filter((line) => line?.trim()) as string[];
}

/** `10115 Berlin` or `Springfield, IL 62701`. */
function placeLine(address: PartialAddress, format: AddressFormat | undefined): string {
  const state = format?.writesStateCodes === false && format.states.find(({ code }) => code === address.state);
  const partText = (part: PlacePart) => (part === 'state' && state ? state.name : address[part]);
  const inFormat = (format?.fields ?? []).map(({ name }) => name).filter(isPlacePart);
  const parts = [...new Set<PlacePart>([...inFormat, 'zip', 'city', 'state'])].filter((part) => address[part]?.trim());
  return parts.map((part, i) => `${partText(part)}${part === 'city' && parts[i + 1] === 'state' ? ',' : ''}`).join(' ');
}
