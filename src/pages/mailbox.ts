import type { App } from '../http/server.ts';
import type { Outbox, OutboxMessage } from '../providers/outbox.ts';
import { type Html, html, sendPage } from './page.ts';

/** Every mail and SMS that was written to the outbox. Not there in production. */
export function mailboxRoutes(app: App, outbox: Outbox): void {
  app.get('/dev/mailbox', { config: { access: 'public' } }, async (request, reply) => {
    const items = await outbox.list();
    if (request.headers.accept?.includes('application/json')) return { items };
    const list = items.length > 0 ? items.map(showMessage) : html`<p>Nothing was sent yet.</p>`;
    return sendPage(reply, 'Mailbox', html`<h1>Mailbox</h1>${list}`);
  });
}

function showMessage(message: OutboxMessage): Html {
  const at = new Date(message.at * 1000).toISOString().replace('T', ' ').slice(0, 19);
  const subject = message.kind === 'mail' ? message.subject : 'SMS';
  const text = message.kind === 'mail' ? message.text : message.body;
  return html`<article><h2>${subject}</h2><p class="quiet">${at} · to ${message.to}</p>${linked(text)}</article>`;
}

/** The text with its web addresses as links. */
function linked(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/);
  return html`<pre>${parts.map((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))}</pre>`;
}
