/** One operation of the API, and the page that stands where none is chosen. */
import { groupByTag } from './api.js';
import { el, prose } from './dom.js';
import { exampleOf } from './schema.js';
import { showField, showSchema } from './schema-view.js';
import { showTry } from './try.js';

const ACCESS = { public: 'Anyone, without a token.', token: 'Any valid token; a guest’s is enough.' };

export function methodTag(method) {
  return el('span', { class: `method ${method.toLowerCase()}` }, method);
}

export function showOperation(api, operation) {
  const { method, path, summary, description, access, parameters, body } = operation;
  return [
    el('p', { class: 'quiet small' }, operation.tag),
    el('h1', { tabindex: '-1' }, summary),
    el('p', { class: 'address' }, methodTag(method), ' ', el('code', {}, path)),
    description ? el('p', {}, prose(description)) : null,
    el('p', {}, el('strong', {}, 'Access: '), prose(ACCESS[access] ?? `A member with the permission \`${access}\`.`)),
    showTry(api, operation),
    parameters.length > 0 && showParameters(api, parameters),
    body && [el('h2', {}, 'Body'), showSchema(api, body)],
    el('h2', {}, 'Answers'),
    operation.responses.map((response) => showResponse(api, response)),
  ]
    .flat(Infinity)
    .filter(Boolean);
}

function showParameters(api, parameters) {
  const rows = parameters.map(({ name, schema, description, required, in: place }) =>
    el(
      'li',
      {},
      showField(api, name, { description, ...schema }, required),
      el('div', { class: 'quiet small' }, `in ${place}`),
    ),
  );
  return [el('h2', {}, 'Parameters'), el('ul', { class: 'fields' }, rows)];
}

function showResponse(api, { status, description, type, schema }) {
  const good = status.startsWith('2');
  return el(
    'details',
    { open: good },
    el(
      'summary',
      {},
      el('span', { class: `status ${good ? 'good' : 'bad'}` }, status),
      ' ',
      statusText(status, description),
    ),
    schema && showSchema(api, schema),
    schema &&
      type?.includes('json') &&
      el('pre', { tabindex: '0' }, JSON.stringify(exampleOf(api, schema, true), null, 2)),
  );
}

const WORDS = {
  200: 'Done',
  400: 'Malformed request',
  401: 'No valid token',
  403: 'Permission missing',
  404: 'Not found',
  409: 'Conflict',
  412: 'Changed since',
  422: 'Fields not valid',
  429: 'Too many requests',
  '4XX': 'Any other error of the request',
  '5XX': 'Error on our side',
};

const statusText = (status, description) =>
  description && description !== 'Default Response' ? description : (WORDS[status.toUpperCase()] ?? '');

export function showOverview(api, operations) {
  const groups = [...groupByTag(operations)].map(([tag, group]) => [
    el('h2', {}, tag),
    el(
      'ul',
      { class: 'list' },
      group.map((operation) =>
        el('li', {}, el('a', { href: `#${operation.id}` }, methodTag(operation.method), ' ', operation.summary)),
      ),
    ),
  ]);
  return [
    el('h1', { tabindex: '-1' }, `${api.info.title} API`),
    el('p', {}, prose(api.info.description ?? '')),
    el(
      'p',
      {},
      'Choose an operation and press Send: the request goes to this very service. ',
      el('a', { href: '/openapi.json' }, 'openapi.json'),
      ' has the same for machines.',
    ),
    ...groups.flat(),
  ];
}
