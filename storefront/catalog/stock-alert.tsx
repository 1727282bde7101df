/** Asks for an email when a variant is back in stock. A plain form: the page that shows it is the same for everyone. */
import { isSoukError, type Product } from '@souk/client';
import { useSite } from '../island.tsx';
import type { Action } from '../page.ts';
import { fill } from '../site.ts';

const isSoldOut = ({ inventory }: Product['variants'][number]) => inventory.tracked && inventory.quantity === 0;

type Props = { product: Product; state: string | null };

/** Collapsed while other variants can be bought. */
export function StockAlert({ product, state }: Props) {
  const { catalog: words } = useSite().texts;
  const soldOut = product.variants.filter(isSoldOut);
  if (soldOut.length === 0) return null;
  if (state === 'sent')
    return (
      <p id="stock-alert" class="stock-alert notice" role="status">
        {words.alertSent}
      </p>
    );
  const isAll = soldOut.length === product.variants.length;
  return (
    <details id="stock-alert" class="stock-alert" open={state !== null || isAll}>
      <summary>{isAll ? words.alertTitle : words.alertTitleVariants}</summary>
      <AlertForm product={product} soldOut={soldOut} state={state} />
    </details>
  );
}

function AlertForm({ product: { name, variants }, soldOut, state }: Props & { soldOut: Product['variants'] }) {
  const { catalog: words } = useSite().texts;
  return (
    <form method="post">
      {state && (
        <p class="bad-text" role="alert">
          {state === 'limited' ? words.alertLimited : words.alertFailed}
        </p>
      )}
      <input type="hidden" name="action" value="alert" />
      {variants.length === 1 ? (
        <input type="hidden" name="variantId" value={soldOut[0]!.id} />
      ) : (
        <label>
          <span>{words.alertVariant}</span>
          <select name="variantId">
            {soldOut.map((variant) => (
              <option key={variant.id} value={variant.id}>
                {variant.name || name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        <span>{words.alertEmail}</span>
        <input type="email" name="email" required autocomplete="email" />
      </label>
      <button type="submit">{words.alertButton}</button>
      <p class="price-note">{fill(words.alertNote, { name })}</p>
    </form>
  );
}

/** Redirects back to the page, so that reloading it doesn't submit the form again. */
export const requestAlert: Action<never> = async (visit, form) => {
  const { site, params, path } = visit;
  const back = (state: string) => ({ redirect: `${path}?alert=${state}#stock-alert`, status: 303 as const });
  try {
    const souk = await visit.begin();
    const [email, variantId] = [form.get('email') ?? '', form.get('variantId') ?? ''];
    await souk.products.createStockAlert(params.slug!, { email, variantId, locale: site.locale });
    return back('sent');
  } catch (error) {
    if (!isSoukError(error)) throw error;
    return back(error.status === 429 ? 'limited' : 'failed');
  }
};
