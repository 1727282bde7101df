/** "Try it": a form that sends the real request. */
import { el, prose } from './dom.js';
import { keepToken, keepValue, readToken, readValue } from './memory.js';
import { buildRequest, curlText, send } from './request.js';
import { choicesOf, exampleOf, flatten } from './schema.js';

export function showTry(api, operation) {
  const places = ['path', 'query', 'header'];
  const inputs = operation.parameters
    .toSorted((one, other) => places.indexOf(one.in) - places.indexOf(other.in))
    .map((parameter) => parameterInput(api, operation, parameter));
  const editor = operation.body && bodyEditor(api, operation.body);
  const curl = el('pre', { tabindex: '0', 'aria-label': 'The request for curl' });
  const answer = el('div', { 'aria-live': 'polite' });
  const button = el('button', { type: 'submit' }, 'Send');

  function request() {
    const values = {};
    for (const { parameter, input } of inputs) {
      values[parameter.in] ??= {};
      values[parameter.in][parameter.name] = input.value.trim();
    }
    return buildRequest(operation, values, editor ? editor.value : null, readToken());
  }
  const refresh = () => curl.replaceChildren(curlText(request(), location.origin));

  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    answer.replaceChildren(el('p', { class: 'quiet' }, 'Sending …'));
    try {
      const result = await send(request());
      remember(operation, result.json);
      answer.replaceChildren(...showAnswer(result));
    } catch (error) {
      answer.replaceChildren(el('p', { class: 'notice bad' }, `No answer: ${error.message}.`));
    } finally {
      button.disabled = false;
    }
  }

  const form = el(
    'form',
    { class: 'try', onsubmit: submit, oninput: refresh, onkeydown: sendByKey },
    inputs.length > 0 &&
      el(
        'div',
        { class: 'parameters' },
        inputs.map(({ field }) => field),
      ),
    editor?.field,
    el(
      'div',
      { class: 'actions' },
      button,
      copyButton(() => curl),
    ),
  );
  refresh();
  return el('section', { 'aria-labelledby': 'try' }, el('h2', { id: 'try' }, 'Try it'), form, curl, answer);
}

function sendByKey(event) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
}

function parameterInput(api, operation, parameter) {
  const { name, required, description, schema } = parameter;
  const id = `parameter-${parameter.in}-${name}`;
  const kept = parameter.in === 'path' ? readValue(operation.tag, name) : undefined;
  const keep = parameter.in === 'path' && (() => keepValue(operation.tag, name, input.value.trim()));
  const input = inputFor(api, schema, { id, required, oninput: keep, example: parameter.example });
  input.value = kept ?? '';
  const label = el('label', { for: id }, el('code', {}, name), ' ', el('span', { class: 'tag' }, parameter.in));
  const help = description && el('p', { class: 'help quiet small' }, prose(description));
  return { parameter, input, field: el('div', { class: 'field' }, label, help, input) };
}

function inputFor(api, schema, { example, ...attributes }) {
  const choices = choicesOf(api, schema);
  if (choices) {
    const options = ['', ...choices].map((value) => el('option', { value: String(value) }, String(value)));
    return el('select', attributes, options);
  }
  const { examples, default: fallback } = flatten(api, schema);
  const hint = example ?? examples?.[0] ?? fallback ?? '';
  const placeholder = hint === '' ? null : `such as ${hint}`;
  return el('input', { ...attributes, placeholder, autocomplete: 'off', spellcheck: 'false' });
}

function bodyEditor(api, schema) {
  const textOf = (full) => JSON.stringify(exampleOf(api, schema, full), null, 2);
  const text = textOf(false);
  const area = el('textarea', {
    id: 'body',
    rows: Math.min(24, text.split('\n').length + 1),
    spellcheck: 'false',
    value: text,
  });
  const fill = (full) => () => {
    area.value = textOf(full);
    area.rows = Math.min(24, area.value.split('\n').length + 1);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const choose = (words, full) => el('button', { type: 'button', class: 'quiet small', onclick: fill(full) }, words);
  const head = el('div', { class: 'row' }, [
    el('label', { for: 'body' }, 'Body'),
    el('span', { class: 'choices' }, choose('Needed fields', false), choose('All fields', true)),
  ]);
  return {
    field: el('div', { class: 'field' }, head, area),
    get value() {
      return area.value.trim();
    },
  };
}

function copyButton(source) {
  const button = el('button', { type: 'button', class: 'quiet', onclick: copy }, 'Copy as curl');
  async function copy() {
    const element = source();
    try {
      await navigator.clipboard.writeText(element.textContent);
      button.textContent = 'Copied';
      setTimeout(() => button.replaceChildren('Copy as curl'), 1500);
    } catch {
      // Without a secure origin there is no clipboard: leave it selected.
      getSelection()?.selectAllChildren(element);
      element.focus();
    }
  }
  return button;
}

function showAnswer(result) {
  const token = result.json?.accessToken;
  return [
    el(
      'p',
      { class: `notice ${result.ok ? 'good' : 'bad'}` },
      el('strong', {}, String(result.status)),
      ` in ${result.milliseconds} ms`,
    ),
    typeof token === 'string' &&
      el(
        'p',
        {},
        el('button', { type: 'button', class: 'quiet', onclick: () => keepToken(token) }, 'Use this token from now on'),
      ),
    result.text === '' ? el('p', { class: 'quiet' }, 'No body.') : el('pre', { tabindex: '0' }, result.text),
    el('details', {}, el('summary', {}, 'Headers of the answer'), el('pre', {}, result.headers)),
  ].filter(Boolean);
}

/** So that the next operation of the group is about a record that exists: the one just made, or the first of a list. */
function remember(operation, json) {
  const id = operation.method === 'POST' ? json?.id : operation.method === 'GET' ? json?.items?.[0]?.id : undefined;
  if (typeof id !== 'string') return;
  keepValue(operation.tag, 'id', id);
  if (operation.path === '/v1/businesses') keepValue(operation.tag, 'businessId', id);
}
