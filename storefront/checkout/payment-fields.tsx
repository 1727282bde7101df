/** The payment method and the billing address. */

import { Field, Option, type Problems } from '../forms.tsx';
import { useSite } from '../island.tsx';
import type { Site } from '../page.ts';
import { AddressFields } from './address-fields.tsx';
import type { Checkout } from './load.ts';

/** Without a list, a market accepts all methods except bank transfer. */
export function methodsOf({ business, market }: Site): string[] {
  const { paymentMethods = [] } = business.configs.markets?.find(({ id }) => id === market.id) ?? {};
  const listed = paymentMethods.map(({ method }) => method as string);
  return ['CREDIT_CARD', 'CASH', 'BANK_TRANSFER'].filter((method) =>
    listed.length > 0 ? listed.includes(method) : method !== 'BANK_TRANSFER',
  );
}

type Props = { checkout: Checkout; problems: Problems };
type PaymentProps = Props & { methods: string[]; isSandbox: boolean };

export function PaymentFields({ checkout: { cart }, problems, methods, isSandbox }: PaymentProps) {
  const { checkout: words } = useSite().texts;
  const chosen = methods.find((method) => method === cart.paymentMethod) ?? methods[0];
  const names: Record<string, [label: string, note: string]> = {
    CREDIT_CARD: [words.card, isSandbox ? words.cardSandbox : words.cardNote],
    CASH: [words.cash, words.cashNote],
    BANK_TRANSFER: [words.transfer, words.transferNote],
  };
  return (
    <fieldset class="options">
      <legend>{words.payment}</legend>
      {problems.paymentMethod && <p class="field-error">{problems.paymentMethod}</p>}
      {methods.map((method) => (
        <Option
          key={method}
          name="paymentMethod"
          value={method}
          checked={method === chosen}
          label={names[method]![0]}
          note={names[method]![1]}
        />
      ))}
    </fieldset>
  );
}

export function BillingFields({ checkout, problems }: Props) {
  const { checkout: words } = useSite().texts;
  const { isShipped, billing, billingFormat, allCountries, cart } = checkout;
  const { company = '', vatId = '' } = cart.billingAddress ?? cart.shippingAddress ?? {};
  const isBusiness = company !== '' || vatId !== '' || problems.company !== undefined;
  return (
    <fieldset class="billing">
      <legend>{words.billing}</legend>
      {isShipped && (
        <div class="options" role="radiogroup" aria-label={words.billingAddress}>
          <Option name="billing" value="same" checked={billing === null} label={words.billingSame} />
          <Option name="billing" value="other" checked={billing !== null} label={words.billingOther} />
        </div>
      )}
      {billing && (
        <AddressFields
          path="billingAddress"
          kind="billing"
          address={billing}
          format={billingFormat}
          countries={allCountries}
          problems={problems}
        />
      )}
      <details open={isBusiness}>
        <summary>{words.asBusiness}</summary>
        <div class="field-row">
          <Field
            name="company"
            label={words.company}
            autocomplete="organization"
            value={company}
            problem={problems.company}
          />
          <Field
            name="vatId"
            label={words.vatId}
            value={vatId}
            problem={problems['billingAddress.vatId'] ?? problems['shippingAddress.vatId']}
          />
        </div>
      </details>
    </fieldset>
  );
}
