/**
 * The current URL: `/admin/<business>/<section>/…`. Links are plain `<a href={href('/orders')}>`; those within the admin are followed
 * without a reload. `navigate('/orders')` opens a page from code; `query` has the query parameters.
 */
import { computed, signal } from '@preact/signals';

export const address = signal(new URL(location.href));

/** The ID of the business in the URL, or null. */
export const businessInPath = computed(() => /^\/admin\/(biz_[^/]+)/.exec(address.value.pathname)?.[1] ?? null);

/** The path after the business: `['orders', 'ord_1']`. */
export const segments = computed(() =>
  address.value.pathname
    .replace(/^\/admin(\/biz_[^/]+)?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decodeURIComponent),
);

export const query = computed(() => address.value.searchParams);

/** The URL of a page in the open business. */
export const href = (path: string) =>
  `/admin${businessInPath.value ? `/${businessInPath.value}` : ''}${path === '/' ? '' : path}`;

export function navigate(path: string, { replace = false } = {}): void {
  const to = path.startsWith('/admin') ? path : href(path);
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  address.value = new URL(location.href);
  if (!replace) scrollTo(0, 0);
}

/** Changes the query parameters. Empty values are removed. */
export function setQuery(changes: Record<string, string>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  history.replaceState(null, '', url);
  address.value = url;
}

addEventListener('popstate', () => {
  address.value = new URL(location.href);
});

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.('a');
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const to = new URL(link.href);
  const isAdminUrl = to.origin === location.origin && /^\/admin(\/|$)/.test(to.pathname);
  if (!isAdminUrl || link.target || (to.hash && to.pathname === location.pathname)) return;
  event.preventDefault();
  navigate(to.pathname + to.search);
});
