/** The current URL. Links are plain `<a href>`; those into the shop are followed without a reload. */
import { signal } from '@preact/signals';

export const address = signal(new URL(location.href));

const isShopUrl = ({ origin, pathname }: URL) =>
  origin === location.origin && (pathname === '/' || /^\/shop(\/|$)/.test(pathname));

export function navigate(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  address.value = new URL(location.href);
}

addEventListener('popstate', () => {
  address.value = new URL(location.href);
});

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.('a');
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const to = new URL(link.href);
  if (!isShopUrl(to) || link.target || (to.hash && to.pathname === location.pathname)) return;
  event.preventDefault();
  navigate(to.href);
  scrollTo(0, 0);
});
