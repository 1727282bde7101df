/**
 * Returns and withdrawals on the order page. Plain forms, without a login and without JavaScript. The signed link
 * authorizes the request. Other sites can't guess it, so the forms need no CSRF token.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  type OrderView,
  type Return,
  type ReturnOptions,
  requestByLink,
  showOrder,
} from '../../domains/orders/index.ts';
import { command, query } from '../../http/command.ts';
import { errorResponse } from '../../http/errors.ts';
import type { App } from '../../http/server.ts';
import { dayOf, timeOf } from '../../shared/day.ts';
import { type ErrorKind, notFound, ServiceError } from '../../shared/errors.ts';
import { isId, newId } from '../../shared/ids.ts';
import { type Html, html, sendPage } from '../page.ts';
import { pageTexts } from '../texts/index.ts';
import { shopLink } from './shop-link.ts';

const Params = Type.Object({ token: Type.String({ maxLength: 300 }) });
const config = { access: 'public' } as const;
const schema = { params: Params };
const MAX_TEXT = 500;

type Item = ReturnOptions['goods'][number];
type Chosen = { lineId: string; name: string; quantity: number; reason: string };
type Form = Record<string, string>;
type Title = 'withdrawTitle' | 'reviewTitle' | 'withdrawn' | 'returnTitle' | 'requested';

export function returnPages(pages: App): void {
  pages.get('/order/:token/withdraw', { config, schema }, async (request, reply) => {
    const view = await read(request, request.params.token);
    return send(reply, view, 'withdrawTitle', withdrawForm(view, request.params.token, {}));
  });

  pages.post('/order/:token/withdraw', { config, schema }, async (request, reply) => {
    const { token } = request.params;
    const view = await read(request, token);
    const form = formOf(request);
    // A form that was already submitted shows its result again.
    const sent = view.returns.returns.find(({ id }) => id === form.request);
    if (sent) return sendConfirmation(reply, view, sent, token);
    const texts = pageTexts(view.returns.language).returns;
    const lines = chosenOf(view.returns.withdrawal, form);
    const name = (form.name ?? '').trim().slice(0, 200);
    const problem = lines.length === 0 ? texts.none : name === '' ? texts.nameMissing : null;
    if (problem) return send(reply, view, 'withdrawTitle', withdrawForm(view, token, form, problem), 422);
    if (form.step !== 'confirm') return send(reply, view, 'reviewTitle', review(view, token, { ...form, name }, lines));
    return create(request, reply, view, { type: 'WITHDRAWAL', lines, note: null, name, id: form.request });
  });

  pages.get('/order/:token/return', { config, schema }, async (request, reply) => {
    const view = await read(request, request.params.token);
    return send(reply, view, 'returnTitle', returnForm(view, request.params.token, {}));
  });

  pages.post('/order/:token/return', { config, schema }, async (request, reply) => {
    const { token } = request.params;
    const view = await read(request, token);
    const form = formOf(request);
    // A form that was already submitted shows its result again.
    const sent = view.returns.returns.find(({ id }) => id === form.request);
    if (sent) return sendConfirmation(reply, view, sent, token);
    const lines = chosenOf(view.returns.goods, form);
    if (lines.length === 0) {
      const problem = pageTexts(view.returns.language).returns.none;
      return send(reply, view, 'returnTitle', returnForm(view, token, form, problem), 422);
    }
    const type = form.type === 'EXCHANGE' ? 'EXCHANGE' : 'RETURN';
    const note = (form.note ?? '').slice(0, 2000);
    return create(request, reply, view, { type, lines, note, name: null, id: form.request });
  });
}

async function read(request: FastifyRequest, token: string): Promise<OrderView> {
  const view = await query(request, showOrder, token);
  if (!view) throw notFound('Order');
  return view;
}

const formOf = (request: FastifyRequest) => (request.body ?? {}) as Form;

const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;

type NewRequest = {
  type: 'RETURN' | 'WITHDRAWAL' | 'EXCHANGE';
  lines: Chosen[];
  note: string | null;
  name: string | null;
  id: string | undefined;
};

async function create(request: FastifyRequest, reply: FastifyReply, view: OrderView, input: NewRequest) {
  const token = tokenOf(request);
  const { lines, id = '', ...rest } = input;
  const chosen = lines.map(({ lineId, quantity, reason }) => ({ lineId, quantity, reason }));
  const requestId = isId('ret', id) ? id : newId('ret');
  try {
    const created = await command(request, requestByLink, { ...rest, token, id: requestId, lines: chosen });
    return sendConfirmation(reply, view, created, token);
  } catch (error) {
    const refusal = error instanceof ServiceError ? REFUSALS[error.kind] : undefined;
    if (!refusal) throw error;
    const { status } = errorResponse(error, request, reply);
    const page = input.type === 'WITHDRAWAL' ? withdrawForm : returnForm;
    const title = input.type === 'WITHDRAWAL' ? 'withdrawTitle' : 'returnTitle';
    const problem = pageTexts(view.returns.language).returns[refusal];
    return send(reply, view, title, page(view, token, formOf(request), problem), status);
  }
}

/** Request errors, in the order's language. */
const REFUSALS: Partial<Record<ErrorKind, 'changed' | 'refused' | 'busy'>> = {
  VALIDATION_FAILED: 'changed',
  CONFLICT: 'refused',
  RATE_LIMITED: 'busy',
};

function sendConfirmation(reply: FastifyReply, view: OrderView, { type, lines, createdAt }: Return, token: string) {
  const { language, timeZone, hasEmail } = view.returns;
  const texts = pageTexts(language).returns;
  const isWithdrawal = type === 'WITHDRAWAL';
  const time = timeOf(createdAt, language, timeZone);
  return send(
    reply,
    view,
    isWithdrawal ? 'withdrawn' : 'requested',
    html`<p class="notice good" role="status">${isWithdrawal ? texts.withdrawnText(time) : texts.requestedText(time)} ${hasEmail ? texts.mailed : null}</p>
${itemList(lines)}
<p><a href="/order/${token}">${texts.order}</a></p>`,
  );
}

function send(reply: FastifyReply, view: OrderView, title: Title, body: Html, status = 200) {
  const text = pageTexts(view.returns.language).returns[title];
  const page = html`${shopLink(view)}<h1>${text}</h1>
<p class="quiet">${view.shop ? null : `${view.businessName}, `}#${view.number}</p>
${body}`;
  return sendPage(reply, text, page, { status, lang: view.language });
}

/** The quantities in the form, limited to the returnable quantities. Anything else is ignored. */
function chosenOf(items: readonly Item[], form: Form): Chosen[] {
  return items.flatMap((item) => {
    const quantity = Number(form[`quantity.${item.lineId}`] ?? 0);
    const reason = (form[`reason.${item.lineId}`] ?? '').trim().slice(0, MAX_TEXT);
    return Number.isInteger(quantity) && quantity > 0 ? [{ ...item, quantity, reason }] : [];
  });
}

const itemList = (lines: readonly { name: string; quantity: number }[]) =>
  html`<ul>${lines.map(({ name, quantity }) => html`<li>${quantity} × ${name}</li>`)}</ul>`;

const problemText = (problem: string | null) =>
  problem ? html`<p class="notice bad" role="alert">${problem}</p>` : null;

function quantityField({ lineId, quantity }: Item, value: string, label: string): Html {
  const id = `quantity.${lineId}`;
  return html`<label for="${id}">${label}</label>
<input id="${id}" name="${id}" type="number" inputmode="numeric" min="0" max="${quantity}" step="1" value="${value}">`;
}

const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;

/** Step 1 of the withdrawal. By default, the customer withdraws from everything. */
function withdrawForm({ returns }: OrderView, token: string, form: Form, problem: string | null = null): Html {
  const texts = pageTexts(returns.language).returns;
  if (returns.withdrawal.length === 0) return html`<p class="notice">${texts.over}</p>`;
  return html`${problemText(problem)}<p>${texts.withdrawHint}</p>
<form method="post" action="/order/${token}/withdraw">
${hidden('request', form.request ?? newId('ret'))}${hidden('step', 'review')}
${returns.withdrawal.map((item) => {
  const label = texts.quantity(item.name, item.quantity);
  return quantityField(item, form[`quantity.${item.lineId}`] ?? String(item.quantity), label);
})}
<label for="name">${texts.name}</label>
<input id="name" name="name" autocomplete="name" maxlength="200" required value="${form.name ?? returns.name}">
<button type="submit">${texts.continue}</button>
</form>
<p><a href="/order/${token}">${texts.order}</a></p>`;
}

/** Step 2 of the withdrawal. */
function review({ returns, number }: OrderView, token: string, form: Form, lines: readonly Chosen[]): Html {
  const texts = pageTexts(returns.language).returns;
  return html`<p>${texts.reviewHint(number)}</p>
${itemList(lines)}
<p>${texts.name}: ${form.name ?? ''}</p>
<form method="post" action="/order/${token}/withdraw">
${hidden('request', form.request ?? newId('ret'))}${hidden('step', 'confirm')}${hidden('name', form.name ?? '')}
${lines.map(({ lineId, quantity }) => hidden(`quantity.${lineId}`, String(quantity)))}
<button type="submit">${texts.confirm}</button>
</form>
<p><a href="/order/${token}/withdraw">${texts.back}</a></p>`;
}

function returnForm({ returns }: OrderView, token: string, form: Form, problem: string | null = null): Html {
  const texts = pageTexts(returns.language).returns;
  if (returns.goods.length === 0) return html`<p class="notice">${texts.over}</p>`;
  const isExchange = form.type === 'EXCHANGE';
  // If there is only one item, it is preselected.
  const initial = returns.goods.length === 1 && returns.goods[0]!.quantity === 1 ? '1' : '0';
  return html`${problemText(problem)}<p>${texts.returnHint}</p>
<form method="post" action="/order/${token}/return">
${hidden('request', form.request ?? newId('ret'))}
${returns.goods.map((item) => {
  const label = texts.quantity(item.name, item.quantity);
  const reason = `reason.${item.lineId}`;
  return html`${quantityField(item, form[`quantity.${item.lineId}`] ?? initial, label)}
<label for="${reason}">${texts.reason}</label>
<input id="${reason}" name="${reason}" maxlength="${MAX_TEXT}" value="${form[reason] ?? ''}">`;
})}
<label for="type">${texts.kind}</label>
<select id="type" name="type"><option value="RETURN">${texts.kindReturn}</option>
${isExchange ? html`<option value="EXCHANGE" selected>${texts.kindExchange}</option>` : html`<option value="EXCHANGE">${texts.kindExchange}</option>`}</select>
<p class="quiet small">${texts.exchangeHint}</p>
<label for="note">${texts.note}</label>
<textarea id="note" name="note" rows="3" maxlength="2000">${form.note ?? ''}</textarea>
<button type="submit">${texts.send}</button>
</form>
<p><a href="/order/${token}">${texts.order}</a></p>`;
}

/** The returns and their links on the order page. */
export function returnParts(returns: ReturnOptions, token: string): Html {
  const { language, timeZone } = returns;
  const texts = pageTexts(language).returns;
  const until = returns.lastDay === null ? null : dayOf(returns.lastDay, language, timeZone);
  return html`${returns.returns.length > 0 ? html`<h2>${texts.returns}</h2>` : null}
${returns.returns.map(
  ({ type, status, lines, instructions, labelUrl, rejection, createdAt }) => html`
<p><strong>${texts.types[type]} · ${texts.statuses[status]}</strong><br><span class="quiet small">${timeOf(createdAt, language, timeZone)}</span></p>
${itemList(lines)}
${rejection ? html`<p>${rejection}</p>` : null}
${status === 'APPROVED' && instructions ? html`<p>${instructions.split('\n').map((line) => html`${line}<br>`)}</p>` : null}
${status === 'APPROVED' && labelUrl ? html`<p><a href="${labelUrl}">${texts.label}</a></p>` : null}`,
)}
${returns.withdrawal.length > 0 && until ? html`<p class="quiet small">${texts.withdrawUntil(until)}</p>` : null}
${
  returns.goods.length + returns.withdrawal.length > 0
    ? html`<div class="actions">
${returns.goods.length > 0 ? html`<a class="button quiet" href="/order/${token}/return">${texts.return}</a>` : null}
${returns.withdrawal.length > 0 ? html`<a class="button quiet" href="/order/${token}/withdraw">${texts.withdraw}</a>` : null}
</div>`
    : null
}`;
}
