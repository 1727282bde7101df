/** Cells of the lists of abandoned checkouts and open carts. */
import { locale, t } from '../../../text/index.ts';

export function Customer({ row: { name, email } }: { row: { name: string | null; email: string | null } }) {
  if (!name) return <>{email ?? t('orders.guest')}</>;
  return (
    <>
      {name}
      {email && <small class="quiet second-line">{email}</small>}
    </>
  );
}

/** `2 hours ago` or `3 days ago`. */
export function ageText(seconds: number): string {
  const hours = Math.round((Date.now() / 1000 - seconds) / 3600);
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'always' });
  return hours < 48 ? format.format(-Math.max(0, hours), 'hour') : format.format(-Math.round(hours / 24), 'day');
}

export const itemsText = (items: readonly { quantity: number; name: string; variantName: string }[]) =>
  items
    .map(({ quantity, name, variantName }) => `${quantity} × ${[name, variantName].filter(Boolean).join(', ')}`)
    .join('; ');
