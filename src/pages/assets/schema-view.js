/** Shows a schema as a list of fields that can be opened. */
import { el, prose } from './dom.js';
import { branchesOf, flatten, limitsText, typeText } from './schema.js';

const MAX_DEPTH = 8;

export function showSchema(api, schema, depth = 0) {
  const parts = innerObjects(api, schema);
  if (parts.length === 0 || depth >= MAX_DEPTH) return el('p', { class: 'quiet' }, typeText(api, schema));
  return parts.flatMap((part, i) => [
    parts.length > 1 && el('p', { class: 'quiet small' }, i === 0 ? 'One of these:' : 'or'),
    showFields(api, part, depth),
  ]);
}

/** The objects with fields inside a schema: itself, its branches, or the entries of a list. */
function innerObjects(api, schema) {
  return branchesOf(api, schema).flatMap((branch) => {
    if (branch.type === 'array') return innerObjects(api, branch.items);
    return branch.properties ? [branch] : [];
  });
}

function showFields(api, schema, depth) {
  const required = new Set(schema.required ?? []);
  return el(
    'ul',
    { class: 'fields' },
    Object.entries(schema.properties).map(([name, property]) =>
      el('li', { class: 'entry' }, showField(api, name, property, required.has(name)), showInner(api, property, depth)),
    ),
  );
}

export function showField(api, name, schema, required) {
  const { description } = flatten(api, schema);
  const limits = limitsText(api, schema);
  return [
    el('div', {}, [
      el('code', { class: 'name' }, name),
      ' ',
      el('span', { class: 'quiet small' }, typeText(api, schema), limits ? ` · ${limits}` : ''),
      required ? [' ', el('span', { class: 'tag' }, 'required')] : null,
    ]),
    description ? el('div', { class: 'small' }, prose(description)) : null,
  ];
}

function showInner(api, property, depth) {
  if (depth >= MAX_DEPTH || innerObjects(api, property).length === 0) return null;
  const details = el('details', {}, el('summary', { class: 'small' }, 'Fields'));
  // Filled when opened: schemas may hold themselves.
  details.addEventListener(
    'toggle',
    () => details.append(...[showSchema(api, property, depth + 1)].flat().filter(Boolean)),
    {
      once: true,
    },
  );
  return details;
}
