/**
 * Forms that update the page without a reload. The server renders the page as usual; the script replaces its content.
 * `data-live="submit"` updates the page when the form is submitted, `"change"` also after each change, and `"choices"` only after a
 * change, through the button `update`. Forms that add to the cart stay on their page.
 */
import { forgetChoice, parsed, replace, valuesOf } from './live-page.ts';

/** The pending submissions. They run one after another, so that the last change wins. */
let pending: Promise<void> | null = null;
/** Whether choices are waiting to be submitted. They are read when their turn comes. */
let isWaiting = false;
let typing: ReturnType<typeof setTimeout> | undefined;
const TYPING_MS = 500;
/** When a key was last pressed in a focused choice. */
let chosenAtMs = Number.NEGATIVE_INFINITY;
const CHOOSING_MS = 1000;
/** Resolves when no mouse button, finger or Space key is down. */
let released = Promise.resolve();
let release: (() => void) | null = null;
let releasing: ReturnType<typeof setTimeout> | undefined;
/** On a touch screen, the click follows a moment after the finger is lifted. */
const CLICK_MS = 50;

export function startLive(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    const { live } = form.dataset;
    const { submitter } = event;
    const isAdding = form.querySelector('input[name="action"][value="add"]') !== null;
    if (isAdding || live === 'submit' || live === 'change') {
      event.preventDefault();
      start(() => send(form, submitter, isAdding));
    } else if (live === 'choices' && pending) {
      event.preventDefault();
      void pending.finally(() => submitAgain(form, submitter));
    }
  });
  document.addEventListener('change', ({ target }) => {
    const { form, type } = target as HTMLInputElement;
    if (type === 'radio') forgetChoice(target as HTMLInputElement);
    if (form?.dataset.live === 'change') form.requestSubmit();
    if (form?.dataset.live === 'choices') sendChoices(form.id);
  });
  // The postal code decides how an order can be shipped, so the page doesn't wait until the field is left.
  document.addEventListener('input', ({ target }) => {
    const { form, autocomplete } = target as HTMLInputElement;
    if (form?.dataset.live !== 'choices' || !autocomplete?.endsWith('postal-code')) return;
    clearTimeout(typing);
    typing = setTimeout(() => sendChoices(form.id), TYPING_MS);
  });
  document.addEventListener('keydown', ({ target, key }) => {
    if (target instanceof HTMLSelectElement) chosenAtMs = key === 'Tab' ? Number.NEGATIVE_INFINITY : performance.now();
  });
  document.addEventListener('click', waitForForm);
  document.addEventListener('pointerdown', hold, true);
  document.addEventListener('keydown', ({ key }) => key === ' ' && hold(), true);
  for (const end of ['pointerup', 'pointercancel', 'keyup', 'blur']) addEventListener(end, onRelease);
}

/** A button that is replaced while it is pressed would lose its click. */
function hold(): void {
  clearTimeout(releasing);
  if (release) return;
  released = new Promise((resolve) => {
    release = resolve;
  });
}

function onRelease(): void {
  clearTimeout(releasing);
  releasing = setTimeout(() => {
    release?.();
    release = null;
  }, CLICK_MS);
}

function start(task: () => Promise<void>): void {
  const sent = (pending ?? Promise.resolve()).then(task).finally(() => {
    if (pending === sent) pending = null;
  });
  pending = sent;
}

function sendChoices(id: string): void {
  if (isWaiting) return;
  isWaiting = true;
  start(async () => {
    isWaiting = false;
    const form = document.getElementById(id) as HTMLFormElement | null;
    if (form) await send(form, form.querySelector<HTMLElement>('[value="update"]'), false);
  });
}

/** The form may have been replaced in the meantime. */
function submitAgain({ id }: HTMLFormElement, submitter: HTMLElement | null): void {
  const form = document.getElementById(id) as HTMLFormElement | null;
  const value = (submitter as HTMLButtonElement | null)?.value;
  const buttons = [...(form?.elements ?? [])].filter((each) => each instanceof HTMLButtonElement);
  form?.requestSubmit(buttons.find((each) => each.value === value));
}

/** A link that is clicked in the meantime waits, so that the next page shows the change. */
function waitForForm(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!pending || !link || !isPlain || link.target || event.defaultPrevented) return;
  event.preventDefault();
  void pending.finally(() => location.assign(link.href));
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null, isAdding: boolean): Promise<void> {
  const body = new URLSearchParams(new FormData(form, submitter) as unknown as Record<string, string>);
  const before = valuesOf(document);
  document.body.setAttribute('aria-busy', 'true');
  try {
    // The form has a field named `action`.
    const response = await fetch(form.getAttribute('action') ?? '', { method: 'POST', body, keepalive: true });
    const page = await parsed(response);
    dispatchEvent(new Event('souk:cart'));
    // An error page has a heading but no notice.
    if (isAdding) say((page.querySelector('.notice') ?? page.querySelector('h1'))?.textContent ?? '');
    else {
      await whenChosen();
      await released;
      const hasRestored = replace(page, before);
      history.replaceState(null, '', response.url);
      if (hasRestored && form.dataset.live === 'choices') sendChoices(form.id);
    }
  } catch {
    HTMLFormElement.prototype.submit.call(form);
  } finally {
    document.body.removeAttribute('aria-busy');
  }
}

/** Waits while someone types the first letters of an option: the browser forgets them when the field is replaced. */
async function whenChosen(): Promise<void> {
  for (;;) {
    const remainingMs = chosenAtMs + CHOOSING_MS - performance.now();
    if (remainingMs <= 0) return;
    await new Promise((resolve) => setTimeout(resolve, remainingMs));
  }
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
