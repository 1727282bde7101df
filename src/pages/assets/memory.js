/** What the page remembers until the tab is closed: the token, and values of path parameters by their names. */
const TOKEN = 'souk.token';
const VALUES = 'souk.values';
let tell = () => {};

export const readToken = () => sessionStorage.getItem(TOKEN) ?? '';

export function keepToken(token) {
  sessionStorage.setItem(TOKEN, token.trim());
  tell();
}

export function onToken(listener) {
  tell = listener;
}

/** An `id` means another thing in each group of operations. */
const keyOf = (tag, name) => (name === 'id' ? `${tag}.id` : name);

const readValues = () => JSON.parse(sessionStorage.getItem(VALUES) ?? '{}');

export const readValue = (tag, name) => readValues()[keyOf(tag, name)];

export function keepValue(tag, name, value) {
  sessionStorage.setItem(VALUES, JSON.stringify({ ...readValues(), [keyOf(tag, name)]: value }));
}
