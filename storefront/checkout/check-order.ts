/** Errors for missing values, by field. */
import type { Problems } from '../forms.tsx';
import type { Site } from '../page.ts';
import { fill } from '../site.ts';
import { problemsIn } from './check-address.ts';
import { isEmail } from './choices.ts';
import type { Checkout } from './load.ts';
import { hasTerms } from './terms.tsx';

/** Errors for invalid values, before the order is sent. */
export function filledProblems(site: Site, { address, format, isShipped, isPickup }: Checkout): Problems {
  const blocked = orderFieldProblem(site);
  if (isPickup || !format || !address.zip) return blocked;
  const zip = `${isShipped ? 'shippingAddress' : 'billingAddress'}.zip`;
  const found = problemsIn(address, format, zip.slice(0, -4), site.texts);
  return found[zip] ? { ...blocked, [zip]: found[zip] } : blocked;
}

/** The checkout doesn't ask for order fields, so the order would be rejected if one is required. */
function orderFieldProblem({ business, texts }: Site): Problems {
  const required = (business.configs.orderBlocks ?? []).filter((block) => block.required);
  if (required.length === 0) return {};
  const fields = required.map(({ id, label }) => label || id).join(', ');
  return { '': fill(texts.errors.orderFields, { fields }) };
}

export function checkOrder({ texts, ...site }: Site, checkout: Checkout, form: URLSearchParams): Problems {
  const { isShipped, isPickup, address, format, billing, billingFormat, method, chosen, options } = checkout;
  const { errors, checkout: words } = texts;
  const path = isShipped ? 'shippingAddress' : 'billingAddress';
  const required = (label: string) => fill(errors.required, { label });
  const isUnserved = isShipped && !method && (options.length > 0 || site.business.configs.shippingMethods?.length);
  const atAddress = !isPickup && chosen === null && format ? problemsIn(address, format, path, texts) : {};
  const isPlaceKnown = !atAddress[`${path}.state`] && !atAddress[`${path}.zip`];
  return {
    ...orderFieldProblem({ texts, ...site }),
    ...(isEmail(form.get('email')?.trim() ?? '') ? {} : { email: errors.email }),
    ...(isPickup && !form.get('name')?.trim() ? { name: required(words.pickupName) } : {}),
    ...atAddress,
    ...(billing && billingFormat ? problemsIn(billing, billingFormat, 'billingAddress', texts) : {}),
    ...(form.get('vatId')?.trim() && !form.get('company')?.trim() ? { company: required(words.company) } : {}),
    ...(isUnserved && isPlaceKnown ? { shippingMethodId: errors.NOT_AVAILABLE } : {}),
    ...(hasTerms(site) && !form.has('terms') ? { terms: errors.terms } : {}),
  };
}
