/** Who pays: a billing address of its own, and the company and VAT ID of a business. */
import type { Quote } from '@souk/client';
import { Field } from '../parts.tsx';
import { AddressForm } from './address-form.tsx';
import { billingAddress, useAllCountries } from './countries.ts';
import { Check } from './option.tsx';
import { finishedVatId, isBilledApart } from './price.ts';
import type { Problems } from './problems.ts';
import { type, typeBilling, typed } from './typed.ts';

type Props = { isPickup: boolean; isShipped: boolean; quote: Quote | null | undefined; problems: Problems };

export function Billing({ isPickup, isShipped, quote, problems }: Props) {
  const countries = useAllCountries();
  const { hasBilling, isBusiness } = typed.value;
  const isSame = isShipped && !isPickup;
  return (
    <fieldset class="billing">
      <legend>Billing</legend>
      {isSame && (
        <Check
          label="Billing address is the same as the shipping address"
          checked={!hasBilling}
          onChange={(checked) => type({ hasBilling: !checked })}
        />
      )}
      {isPickup && !isBusiness && (
        <Check
          label="Add a billing address"
          checked={hasBilling}
          onChange={(checked) => type({ hasBilling: checked })}
        />
      )}
      <Check
        label="I'm buying for a business"
        checked={isBusiness}
        onChange={(checked) => type({ isBusiness: checked })}
      />
      {isBusiness && <Business quote={quote} problems={problems} />}
      {isShipped && isBilledApart(isPickup) && (
        <AddressForm
          path="billingAddress"
          kind="billing"
          address={billingAddress.value}
          countries={countries}
          change={typeBilling}
          chooseCountry={(country) => typeBilling({ country })}
          problems={problems}
        />
      )}
    </fieldset>
  );
}

function Business({ quote, problems }: Pick<Props, 'quote' | 'problems'>) {
  const { company = '', vatId = '' } = typed.value;
  return (
    <>
      <div class="field-row">
        <Field
          label="Company"
          autocomplete="organization"
          value={company}
          problem={problems.of('company')}
          onInput={(text) => {
            problems.set('company', undefined);
            type({ company: text });
          }}
        />
        <Field
          label="VAT ID"
          autocomplete="off"
          isOptional
          value={vatId}
          problem={problems.of('billingAddress.vatId') ?? problems.of('shippingAddress.vatId')}
          hint="For example DE123456789"
          onInput={(text) => type({ vatId: text })}
          onLeave={() => {
            finishedVatId.value = vatId.trim();
          }}
        />
      </div>
      {quote?.taxExempt === 'REVERSE_CHARGE' && (
        <p class="notice good" role="status">
          Reverse charge: we don't charge VAT. Your business reports it in its own country.
        </p>
      )}
    </>
  );
}
