/** Replaces the page's content with that of another page, and keeps the visitor's input. */
import { startIslands } from '../island.tsx';
import { islands } from '../islands/index.ts';

/** By the ID of the field, or by the name of the group of radio buttons. */
type Values = Map<string, string>;
type Typed = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export const parsed = async (response: Response) => new DOMParser().parseFromString(await response.text(), 'text/html');

const typedIn = (root: ParentNode) =>
  [...root.querySelectorAll<Typed>('main :is(input, select, textarea)[id]')].filter(
    ({ type }) => type !== 'hidden' && type !== 'radio' && type !== 'checkbox',
  );
const radiosIn = (root: ParentNode) => [...root.querySelectorAll<HTMLInputElement>('main input[type="radio"]')];

const groupOf = ({ name }: HTMLInputElement) => `radio ${name}`;

export const valuesOf = (root: ParentNode): Values =>
  new Map([
    ...typedIn(root).map(({ id, value }) => [id, value] as const),
    ...radiosIn(root).flatMap((radio) => (radio.checked ? [[groupOf(radio), radio.value] as const] : [])),
  ]);

/** Values of removed fields and options, such as the state after the country has changed. They are restored if they reappear. */
const gone: Values = new Map();

/** A new choice replaces one that is not available at the moment. */
export const forgetChoice = (radio: HTMLInputElement): void => void gone.delete(groupOf(radio));

/** Shows the new content. Keeps the focus and what was typed or chosen since `before`. Returns whether a value was restored. */
export function replace(page: Document, before: Values): boolean {
  const [main, next] = [document.querySelector('main'), page.querySelector('main')];
  if (!main || !next) {
    location.reload();
    return false;
  }
  const now = valuesOf(document);
  const isChanged = (key: string) => now.has(key) && now.get(key) !== before.get(key);
  const { id, name, value, selectionStart, selectionEnd } = document.activeElement as HTMLInputElement;
  let hasRestored = false;
  for (const field of typedIn(page)) {
    const kept = isChanged(field.id) ? now.get(field.id) : now.has(field.id) ? undefined : gone.get(field.id);
    if (kept === undefined || kept === field.value) continue;
    field.value = kept;
    hasRestored ||= !now.has(field.id);
  }
  for (const radio of radiosIn(page)) {
    const key = groupOf(radio);
    if (radio.value !== (isChanged(key) ? now.get(key) : gone.get(key))) continue;
    hasRestored ||= !radio.checked && !isChanged(key);
    radio.checked = true;
    gone.delete(key);
  }
  for (const box of next.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')) {
    const old = main.querySelector<HTMLInputElement>(`input[type="checkbox"][name="${CSS.escape(box.name)}"]`);
    if (old) box.checked = old.checked;
  }
  const details = main.querySelectorAll('details');
  for (const [i, each] of next.querySelectorAll('details').entries()) each.open ||= details[i]?.open ?? false;
  for (const field of typedIn(document)) if (!page.getElementById(field.id)) gone.set(field.id, field.value);
  const offered = radiosIn(page).map((radio) => groupOf(radio) + radio.value);
  for (const radio of radiosIn(document)) {
    const key = groupOf(radio);
    if (radio.checked && !offered.includes(key + radio.value) && !gone.has(key)) gone.set(key, radio.value);
  }
  main.replaceWith(next);
  document.title = page.title;
  startIslands(islands, next);
  const radio = `input[name="${CSS.escape(name ?? '')}"][value="${CSS.escape(value ?? '')}"]`;
  const focused = document.getElementById(id) ?? (name ? next.querySelector<HTMLElement>(radio) : null);
  focused?.focus();
  if (focused instanceof HTMLInputElement && typeof selectionStart === 'number')
    focused.setSelectionRange(selectionStart, selectionEnd);
  return hasRestored;
}
