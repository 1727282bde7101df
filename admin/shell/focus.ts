/**
 * Keeps the focus. When the focused element is removed, hidden or disabled, the nearest element of the same page or dialog takes the
 * focus, so that keyboard and screen reader users don't start again at the top. `focusSoon(find)` focuses an added element once it is
 * rendered.
 */
const FOCUSABLE =
  ':is(a[href], button, input, select, textarea):not(:disabled), summary, [tabindex="0"], [contenteditable="true"]';
const CLICKABLE = ':is(a[href], button):not(:disabled), summary';
/** By then the previous page is gone and the heading of the next one has the focus. */
const RESTORE_MS = 100;
/** Elements disabled during a request are enabled again afterward. */
const DISABLED_MS = 1500;

/** For each ancestor: the index of the child that contains the element. */
type Place = { parent: Element; index: number }[];
const places = new WeakMap<Element, Place>();
let last: HTMLElement | null = null;
let lastInMain: HTMLElement | null = null;
/** Whether the last input came from a pointer. On phones, focusing a field would open the keyboard. */
let isByPointer = false;
let timer: ReturnType<typeof setTimeout> | undefined;

const isUsable = (element: Element) =>
  element.isConnected && element.checkVisibility() && !element.matches(':disabled');
const isLost = () => document.activeElement === document.body || document.activeElement === null;

export function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    last = target as HTMLElement;
    isByPointer = !last.matches(':focus-visible');
    if (last.closest('main')) lastInMain = last;
    places.set(last, placeOf(last));
  });
  // The user clicked elsewhere or pressed Esc.
  addEventListener('focusout', ({ target }) =>
    queueMicrotask(() => {
      if (target === last && last && isUsable(last)) last = null;
    }),
  );
  const look = () => {
    if (last && isLost() && timer === undefined) timer = setTimeout(restoreFocus, RESTORE_MS, performance.now());
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden', 'open'],
  });
}

function restoreFocus(since: number): void {
  timer = undefined;
  if (!last || !isLost()) return;
  const isDisabled = last.isConnected && last.matches(':disabled');
  if (isDisabled && performance.now() - since < DISABLED_MS) timer = setTimeout(restoreFocus, RESTORE_MS, since);
  else focusNear(last);
}

function placeOf(element: Element): Place {
  const place: Place = [];
  for (let each = element; each.parentElement; each = each.parentElement)
    place.push({ parent: each.parentElement, index: [...each.parentElement.children].indexOf(each) });
  return place;
}

/** Focuses this element, or the one nearest to where it was. */
export function focusNear(element: HTMLElement): void {
  const next = isUsable(element) ? element : nearest(element);
  next?.focus({ preventScroll: next !== element });
}

function nearest(element: HTMLElement): HTMLElement | null {
  for (const { parent, index } of places.get(element) ?? []) {
    if (!parent.isConnected) continue;
    // The page is gone. The heading of the next page receives focus.
    if (parent.querySelector('main')) break;
    // The row was scrolled out of the rendered range. Don't focus another one.
    if (parent.closest('[aria-rowcount]')) return null;
    const children = [...parent.children];
    const found = children.slice(index).flatMap(usableIn)[0] ?? children.slice(0, index).flatMap(usableIn).at(-1);
    if (found) return found;
    if (parent.matches('main')) return parent.querySelector('h1');
    if (parent.matches('dialog')) break;
  }
  return lastInMain && lastInMain !== element && lastInMain.isConnected ? lastInMain : null;
}

const usableIn = (element: Element): HTMLElement[] =>
  [element, ...element.querySelectorAll(FOCUSABLE)].filter(
    (each) => each.matches(isByPointer ? CLICKABLE : FOCUSABLE) && isUsable(each),
  ) as HTMLElement[];

const MAX_FRAMES = 60;

/** After a move, the item's button keeps the focus. At the end of the list, the opposite button takes it. */
export function focusMoved(list: Element | null, to: number, name: string): void {
  focusSoon(() => {
    const buttons = [...(list?.children[to]?.querySelectorAll<HTMLElement>('[data-move]:not(:disabled)') ?? [])];
    return buttons.find(({ dataset }) => dataset.move === name) ?? buttons[0];
  });
}

export function focusSoon(find: () => HTMLElement | null | undefined, frames = 0): void {
  requestAnimationFrame(() => {
    const found = find();
    if (found) found.focus();
    else if (frames < MAX_FRAMES) focusSoon(find, frames + 1);
  });
}
