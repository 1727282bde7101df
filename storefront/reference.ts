/**
 * Links in newsletters identify their send with the parameter `souk_ref`. It is passed on from page to page and to the cart, so nothing is
 * stored in the browser.
 */
const NAME = 'souk_ref';

export function startReference(): void {
  const reference = new URLSearchParams(location.search).get(NAME);
  if (!reference) return;
  document.addEventListener(
    'click',
    ({ target }) => {
      const link = (target as Element).closest?.<HTMLAnchorElement>('a[href]');
      if (!link || link.origin !== location.origin) return;
      const url = new URL(link.href);
      url.searchParams.set(NAME, reference);
      link.href = url.href;
    },
    { capture: true },
  );
  document.addEventListener(
    'submit',
    ({ target }) => {
      const form = target as HTMLFormElement;
      if (!form.querySelector('input[name="action"][value="add"]') || form.elements.namedItem(NAME)) return;
      const field = Object.assign(document.createElement('input'), { type: 'hidden', name: NAME, value: reference });
      form.append(field);
    },
    { capture: true },
  );
}
