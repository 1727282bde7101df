import Type from 'typebox';
import type { App } from '../http/server.ts';
import type { Outbox, OutboxMessage } from '../providers/outbox.ts';
import { notFound } from '../shared/errors.ts';
import { requireLocalHost } from './local-host.ts';
import { type Html, html, pageRoutes, sendPage } from './page.ts';

type MailMessage = Extract<OutboxMessage, { kind: 'mail' }>;

/**
 * An email may contain anything a user typed. It is shown in a sandboxed frame with its own origin, without scripts or forms.
 * Its links open in a new window.
 */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Shows the emails and text messages in the outbox, outside production. */
export function mailboxRoutes(app: App, outbox: Outbox, publicUrl: () => string): void {
  const config = { access: 'public' } as const;
  const params = Type.Object({ id: Type.String({ maxLength: 200 }) });
  /** The mailbox shows everything in a message. */
  const Message = Type.Object({}, { additionalProperties: true });
  const schema = { params, response: { 200: Message } };

  async function find(id: string): Promise<OutboxMessage> {
    const message = await outbox.find(id);
    if (!message) throw notFound('Message');
    return message;
  }

  pageRoutes(app, (pages) => {
    pages.addHook('onRequest', requireLocalHost(publicUrl));

    pages.get(
      '/dev/mailbox',
      { config, schema: { response: { 200: Type.Object({ items: Type.Array(Message) }) } } },
      async (request, reply) => {
        const items = await outbox.list();
        if (wantsJson(request.headers.accept)) return { items };
        return sendPage(reply, 'Mailbox', showList(items), { wide: true });
      },
    );

    pages.get('/dev/mailbox/:id', { config, schema }, async (request, reply) => {
      const message = await find(request.params.id);
      if (wantsJson(request.headers.accept)) return message;
      return sendPage(reply, subjectOf(message), showMessage(message), { wide: true });
    });

    pages.get('/dev/mailbox/:id/html', { config, schema: { params } }, async (request, reply) => {
      const message = await find(request.params.id);
      if (message.kind !== 'mail' || message.html === undefined) throw notFound('HTML part');
      return reply
        .header('content-security-policy', MAIL_POLICY)
        .header('x-frame-options', 'SAMEORIGIN')
        .header('content-type', 'text/html; charset=utf-8')
        .send(`<!doctype html><base target="_blank">${message.html}`);
    });
  });
}

const wantsJson = (accept: string | undefined) => accept?.includes('application/json') ?? false;

const subjectOf = (message: OutboxMessage) => (message.kind === 'mail' ? message.subject : 'Text message');
const textOf = (message: OutboxMessage) => (message.kind === 'mail' ? message.text : message.body);

function showList(items: OutboxMessage[]): Html {
  const rows = items.map(
    (message) => html`<li><a href="/dev/mailbox/${message.id}">
<span class="row"><strong>${subjectOf(message)}</strong><span class="quiet small">${showTime(message.at)}</span></span>
<span class="row quiet small"><span>to ${message.to}</span>${kindTag(message)}</span>
<span class="preview quiet small">${textOf(message).slice(0, 200)}</span></a></li>`,
  );
  const list =
    rows.length > 0
      ? html`<ul class="list">${rows}</ul>`
      : html`<p class="notice">No messages yet. Emails and text messages appear here until you set up a mail server and an SMS gateway.</p>`;
  return html`<nav><a href="/">← Home</a></nav>
<header class="row"><h1>Mailbox</h1><a class="button quiet" href="/dev/mailbox">Refresh</a></header>${list}`;
}

function showMessage(message: OutboxMessage): Html {
  const text = linked(textOf(message));
  const body = message.kind === 'mail' && message.html !== undefined ? showMail(message, text) : text;
  return html`<nav><a href="/dev/mailbox">← Mailbox</a></nav>
<article><header><h1>${subjectOf(message)}</h1>
<dl class="facts">
<dt>To</dt><dd>${message.to}</dd>
${message.kind === 'mail' && message.fromName ? html`<dt>From</dt><dd>${message.fromName}</dd>` : null}
${message.kind === 'mail' && message.replyTo ? html`<dt>Reply to</dt><dd>${message.replyTo}</dd>` : null}
<dt>Sent</dt><dd>${showTime(message.at)}</dd>
<dt>Type</dt><dd>${kindTag(message)}</dd>
</dl></header>
${body}
${message.kind === 'mail' ? showHeaders(message) : null}</article>`;
}

const showMail = (message: MailMessage, text: Html) => html`
<iframe class="mail" title="Email preview" src="/dev/mailbox/${message.id}/html"
  sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe>
<details><summary>Plain text</summary>${text}</details>`;

function showHeaders({ headers = {}, messageId }: MailMessage): Html | null {
  const all = { ...(messageId ? { 'Message-ID': messageId } : {}), ...headers };
  if (Object.keys(all).length === 0) return null;
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return html`<details><summary>Headers</summary>${linked(lines.join('\n'))}</details>`;
}

const kindTag = (message: OutboxMessage) => html`<span class="tag">${message.kind === 'mail' ? 'Email' : 'SMS'}</span>`;

function showTime(atSeconds: number): Html {
  const iso = new Date(atSeconds * 1000).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** The text with its URLs as links. */
function linked(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/);
  return html`<pre>${parts.map((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))}</pre>`;
}
