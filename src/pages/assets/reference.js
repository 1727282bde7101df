/** The API reference: reads /openapi.json, lists its operations and shows the one named in the address. */
import { groupByTag, matches, readOperations } from './api.js';
import { el } from './dom.js';
import { keepToken, keepValue, onToken, readToken, readValue } from './memory.js';
import { methodTag, showOperation, showOverview } from './operation.js';
import { send } from './request.js';

const content = document.querySelector('#content');
const menu = document.querySelector('#menu');
const search = document.querySelector('#search');
const list = document.querySelector('#operations');
const token = document.querySelector('#token');

try {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error(`/openapi.json answered ${answer.status}`);
  begin(await answer.json());
} catch (error) {
  content.replaceChildren(
    el('p', { class: 'notice bad', role: 'alert' }, `The API cannot be shown: ${error.message}.`),
  );
}

function begin(api) {
  const operations = readOperations(api);
  const wide = matchMedia('(min-width: 60rem)');

  function showList() {
    const found = operations.filter((operation) => matches(operation, search.value.trim()));
    list.replaceChildren(...[...groupByTag(found)].flatMap(([tag, group]) => [el('h2', {}, tag), linksOf(group)]));
    if (found.length === 0) list.replaceChildren(el('p', { class: 'quiet' }, 'Nothing fits.'));
    markCurrent();
  }

  function markCurrent() {
    for (const link of list.querySelectorAll('a')) {
      if (link.hash === location.hash) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  function showCurrent() {
    const operation = operations.find(({ id }) => `#${id}` === decodeURIComponent(location.hash));
    content.replaceChildren(...(operation ? showOperation(api, operation) : showOverview(api, operations)));
    document.title = operation ? `${operation.summary} · ${api.info.title} API` : `${api.info.title} API`;
    markCurrent();
  }

  addEventListener('hashchange', () => {
    showCurrent();
    if (!wide.matches) menu.open = false;
    scrollTo(0, 0);
    content.querySelector('h1')?.focus({ preventScroll: true });
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea')) return;
    event.preventDefault();
    menu.open = true;
    search.focus();
  });
  search.addEventListener('input', showList);
  search.addEventListener('keydown', (event) => {
    const first = list.querySelector('a');
    if (event.key === 'Enter' && first) location.hash = first.hash;
  });
  const fit = () => {
    menu.open = wide.matches;
  };
  wide.addEventListener('change', fit);
  fit();
  holdToken(operations);
  showList();
  showCurrent();
}

function linksOf(group) {
  const links = group.map(({ id, method, summary, path }) =>
    el('li', {}, el('a', { href: `#${id}`, title: path }, methodTag(method), ' ', summary)),
  );
  return el('ul', {}, links);
}

function holdToken(operations) {
  const has = (method, path) => operations.some((one) => one.method === method && one.path === path);
  const guest = document.querySelector('#guest');
  token.value = readToken();
  token.addEventListener('input', () => keepToken(token.value));
  onToken(() => {
    if (document.activeElement !== token) token.value = readToken();
    content.querySelector('.try')?.dispatchEvent(new Event('input'));
  });
  guest.hidden = !has('POST', '/v1/users/login');
  guest.addEventListener('click', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await send({ method: 'POST', url: '/v1/users/login', headers, body: '{"provider":"GUEST"}' });
    if (answer.json?.accessToken) keepToken(answer.json.accessToken);
  });
  if (has('GET', '/v1/businesses')) token.addEventListener('change', fillBusiness);
}

/** Saves typing: most addresses begin with the business, and most callers have one. */
async function fillBusiness() {
  if (!readToken() || readValue('', 'businessId')) return;
  const headers = { authorization: `Bearer ${readToken()}` };
  const { json } = await send({ method: 'GET', url: '/v1/businesses', headers, body: null });
  const id = json?.items?.[0]?.id;
  if (typeof id !== 'string') return;
  keepValue('', 'businessId', id);
  const input = document.querySelector('#parameter-path-businessId');
  if (input?.value !== '') return;
  input.value = id;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
