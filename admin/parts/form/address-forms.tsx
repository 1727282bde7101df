/** A shipping address, and a billing address if it differs. */
import type { PartialAddress } from '@souk/client';
import { t } from '../../text/index.ts';
import { AddressFields, filledAddress } from './address.tsx';
import { CheckField } from './form.tsx';

export type AddressValues = { shipping: PartialAddress; billing: PartialAddress; hasBilling: boolean };

export const addressValues = (from: {
  shippingAddress: PartialAddress | null;
  billingAddress: PartialAddress | null;
}): AddressValues => ({
  shipping: from.shippingAddress ?? {},
  billing: from.billingAddress ?? {},
  hasBilling: from.billingAddress !== null,
});

/** Null for an address without text. The billing address is null if it is the shipping address. */
export function toAddresses({ shipping, billing, hasBilling }: AddressValues) {
  return { shippingAddress: addressOrNull(shipping), billingAddress: hasBilling ? addressOrNull(billing) : null };
}

export function addressOrNull(address: PartialAddress | null): PartialAddress | null {
  const filled = filledAddress(address ?? {});
  return Object.keys(filled).length > 0 ? filled : null;
}

type FormsProps = {
  values: AddressValues;
  set: <K extends keyof AddressValues>(name: K, value: AddressValues[K]) => void;
  problem: (field: string) => string | undefined;
};

export const AddressForms = ({ values: { shipping, billing, hasBilling }, set, problem }: FormsProps) => (
  <>
    <fieldset>
      <legend>{t('addresses.shipping')}</legend>
      <AddressFields
        isPerson
        value={shipping}
        onInput={(next) => set('shipping', next)}
        problem={(part) => problem(`shippingAddress.${part}`)}
      />
      {problem('shippingAddress') && <p class="field-error">{problem('shippingAddress')}</p>}
    </fieldset>
    <CheckField
      label={t('addresses.sameBilling')}
      value={!hasBilling}
      onInput={(isSame) => set('hasBilling', !isSame)}
    />
    {hasBilling && (
      <fieldset>
        <legend>{t('addresses.billing')}</legend>
        <AddressFields
          isPerson
          value={billing}
          onInput={(next) => set('billing', next)}
          problem={(part) => problem(`billingAddress.${part}`)}
        />
      </fieldset>
    )}
  </>
);
