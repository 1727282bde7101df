/**
 * The focus is never lost. When what has it is removed, hidden or switched off, it goes to what stands nearest in the same page or dialog;
 * otherwise people without a mouse would begin at the top, and those who do not see the page would not know where they are.
 * `focusSoon(find)` is for what a button has added: it takes the focus as soon as it is there.
 */
const FOCUSABLE =
  ':is(a[href], button, input, select, textarea):not(:disabled), summary, [tabindex="0"], [contenteditable="true"]';
const PRESSED = ':is(a[href], button):not(:disabled), summary';
/** The former page is gone by then, and the heading of the next one has taken the focus. */
const SOON_MS = 100;
/** What is switched off while a request is under way comes back by itself. */
const OFF_MS = 1500;

/** Of each element around it: which of its children it is, or is in. */
type Place = { parent: Element; index: number }[];
const places = new WeakMap<Element, Place>();
let last: HTMLElement | null = null;
let lastInMain: HTMLElement | null = null;
/** Not by keys: on a phone a field that takes the focus would open the keyboard, which nobody has asked for. */
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
  // A click beside it, or Esc: nobody wants it back.
  addEventListener('focusout', ({ target }) =>
    queueMicrotask(() => {
      if (target === last && last && isUsable(last)) last = null;
    }),
  );
  const look = () => {
    if (last && isLost() && timer === undefined) timer = setTimeout(bringBack, SOON_MS, performance.now());
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden', 'open'],
  });
}

function bringBack(since: number): void {
  timer = undefined;
  if (!last || !isLost()) return;
  const isOff = last.isConnected && last.matches(':disabled');
  if (isOff && performance.now() - since < OFF_MS) timer = setTimeout(bringBack, SOON_MS, since);
  else focusNear(last);
}

function placeOf(element: Element): Place {
  const place: Place = [];
  for (let each = element; each.parentElement; each = each.parentElement)
    place.push({ parent: each.parentElement, index: [...each.parentElement.children].indexOf(each) });
  return place;
}

/** On this element, or on what is nearest to where it was. */
export function focusNear(element: HTMLElement): void {
  const next = isUsable(element) ? element : nearest(element);
  next?.focus({ preventScroll: next !== element });
}

function nearest(element: HTMLElement): HTMLElement | null {
  for (const { parent, index } of places.get(element) ?? []) {
    if (!parent.isConnected) continue;
    // Not of this page, or its page is gone: the next one has a heading that takes the focus.
    if (parent.querySelector('main')) break;
    // Rows that are out of sight are not in the document: who scrolls away from one does not want another.
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
    (each) => each.matches(isByPointer ? PRESSED : FOCUSABLE) && isUsable(each),
  ) as HTMLElement[];

const MOST_FRAMES = 60;

/** The button that moved an item of a list goes along with it; at the end of the list its neighbour takes the focus. */
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
    else if (frames < MOST_FRAMES) focusSoon(find, frames + 1);
  });
}
