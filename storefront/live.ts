/**
 * Forms that update the page without a reload. The server renders the page as always; the script replaces its content.
 * `data-live="submit"` does it when the form is sent, `"change"` also after each change, `"choices"` only after a change, with
 * the button `update`. Forms that add to the cart stay on their page.
 */
import { startIslands } from './island.tsx';
import { islands } from './islands/index.ts';

let latest = 0;
/** The form that is being sent. */
let pending: Promise<void> | null = null;

export function startLive(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const { live } = form.dataset;
    const isAdding = form.querySelector('input[name="action"][value="add"]') !== null;
    if (isAdding || live === 'submit' || live === 'change') {
      event.preventDefault();
      start(form, event.submitter, isAdding);
    }
  });
  document.addEventListener('change', ({ target }) => {
    const { form } = target as HTMLInputElement;
    if (form?.dataset.live === 'change') form.requestSubmit();
    if (form?.dataset.live === 'choices') start(form, form.querySelector<HTMLElement>('[value="update"]'), false);
  });
  document.addEventListener('click', waitForForm);
}

export const parsed = async (response: Response) => new DOMParser().parseFromString(await response.text(), 'text/html');

function start(form: HTMLFormElement, submitter: HTMLElement | null, isAdding: boolean): void {
  const sent = send(form, submitter, isAdding).finally(() => {
    if (pending === sent) pending = null;
  });
  pending = sent;
}

/** A link that is clicked meanwhile waits, so that the next page shows the change. */
function waitForForm(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!pending || !link || !isPlain || link.target || event.defaultPrevented) return;
  event.preventDefault();
  void pending.finally(() => location.assign(link.href));
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null, isAdding: boolean): Promise<void> {
  const turn = ++latest;
  const body = new URLSearchParams(new FormData(form, submitter) as unknown as Record<string, string>);
  const before = valuesOf(document);
  document.body.setAttribute('aria-busy', 'true');
  try {
    // The form has a field named `action`.
    const response = await fetch(form.getAttribute('action') ?? '', { method: 'POST', body, keepalive: true });
    const page = await parsed(response);
    dispatchEvent(new Event('souk:cart'));
    if (isAdding) say(page.querySelector('.notice')?.textContent ?? '');
    else if (turn === latest) {
      replace(page, before);
      history.replaceState(null, '', response.url);
    }
  } catch {
    HTMLFormElement.prototype.submit.call(form);
  } finally {
    if (turn === latest) document.body.removeAttribute('aria-busy');
  }
}

type Values = Map<string, string>;
type Typed = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const typedIn = (root: ParentNode) =>
  [...root.querySelectorAll<Typed>('main :is(input, select, textarea)[id]')].filter(
    ({ type }) => type !== 'hidden' && type !== 'radio' && type !== 'checkbox',
  );
export const valuesOf = (root: ParentNode): Values => new Map(typedIn(root).map(({ id, value }) => [id, value]));

/** Shows the new content. What was typed in the meantime stays, and so does the focus. */
export function replace(page: Document, before: Values): void {
  const [main, next] = [document.querySelector('main'), page.querySelector('main')];
  if (!main || !next) {
    location.reload();
    return;
  }
  const now = valuesOf(document);
  const { id, name, value } = document.activeElement as HTMLInputElement;
  for (const field of typedIn(page)) {
    const typed = now.get(field.id);
    if (typed !== undefined && typed !== before.get(field.id)) field.setAttribute('value', typed);
  }
  for (const box of next.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')) {
    const old = main.querySelector<HTMLInputElement>(`input[type="checkbox"][name="${CSS.escape(box.name)}"]`);
    if (old) box.checked = old.checked;
  }
  const details = main.querySelectorAll('details');
  for (const [i, each] of next.querySelectorAll('details').entries()) each.open ||= details[i]?.open ?? false;
  main.replaceWith(next);
  document.title = page.title;
  startIslands(islands, next);
  const radio = `input[name="${CSS.escape(name ?? '')}"][value="${CSS.escape(value ?? '')}"]`;
  (document.getElementById(id) ?? (name ? next.querySelector<HTMLElement>(radio) : null))?.focus();
}

/** Announces a change, and shows it for a moment. */
function say(text: string): void {
  const toast = document.querySelector<HTMLElement>('.toast') ?? document.createElement('p');
  toast.className = 'toast';
  toast.setAttribute('role', 'status');
  document.body.append(toast);
  const cart = document.querySelector('.to-cart')?.cloneNode(true);
  toast.replaceChildren(text.trim(), ...(cart ? [cart] : []));
  toast.dataset.shown = 'true';
  setTimeout(() => {
    toast.dataset.shown = 'false';
  }, 6000);
}
