/** The addresses in the account of a logged-in customer. */
import { signal } from '@preact/signals';
import type { PartialAddress, User } from '@souk/client';
import { useEffect } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { account, souk } from '../shop.ts';
import { addressLines } from './address-lines.ts';
import { withFieldsOf } from './check-address.ts';
import { formatOf, servedCountries, shippingAddress, shipTo } from './countries.ts';
import { Option } from './option.tsx';
import { type, typed } from './typed.ts';

const MAX_SAVED = 50;
const profile = signal<User | null>(null);
export const accountEmail = () => profile.value?.email;

/** The addresses that the shop delivers to. The first one is chosen until the customer types or chooses another. */
export function useSaved(): PartialAddress[] {
  const userId = account.value?.userId;
  useLoad(
    async (signal) => {
      profile.value = userId ? await souk.users.me({ signal }) : null;
    },
    [userId],
  );
  const { addresses = [] } = profile.value ?? {};
  const served = addresses.filter(({ country }) => servedCountries.value.includes(country));
  const { saved: chosen, shipping } = typed.value;
  const isUntouched = chosen === undefined && Object.keys(shipping).length === 0;
  useEffect(() => {
    if (isUntouched && served[0]) choose(served[0]);
  }, [isUntouched, served.length]);
  return served;
}

function choose(address: PartialAddress): void {
  shipTo(address.country!);
  type({ saved: address });
}

const keyOf = (address: PartialAddress) => addressLines(address).join('\n').toLowerCase();

export function SavedAddresses({ addresses }: { addresses: PartialAddress[] }) {
  const chosen = typed.value.saved && keyOf(typed.value.saved);
  return (
    <div class="options" role="radiogroup" aria-label="Saved addresses">
      {addresses.map((address) => {
        const [first, ...rest] = addressLines(address, formatOf(address.country));
        return (
          <Option
            key={keyOf(address)}
            name="saved"
            checked={keyOf(address) === chosen}
            onChoose={() => choose(address)}
            label={first}
            note={rest.join(', ')}
          />
        );
      })}
      <Option name="saved" checked={!chosen} onChoose={() => type({ saved: null })} label="Use a different address" />
    </div>
  );
}

/** Adds the shipping address to the account, unless it is there. */
export async function saveAddress(): Promise<void> {
  const address = withFieldsOf(formatOf(shippingAddress.value.country), shippingAddress.value);
  const { addresses } = await souk.users.me();
  if (addresses.length >= MAX_SAVED || addresses.some((each) => keyOf(each) === keyOf(address))) return;
  await souk.users.change({ addresses: [...addresses, address] });
}
