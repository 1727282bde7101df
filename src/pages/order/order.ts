import Type from 'typebox';
import { renderSVG } from 'uqr';
import { downloadLinked, instructionRows, type OrderView, payExchange, showOrder } from '../../domains/orders/index.ts';
import { closing } from '../../http/closing.ts';
import { command, query, stream } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { dayOf } from '../../shared/day.ts';
import { notFound } from '../../shared/errors.ts';
import { taxLabel, textsIn } from '../../shared/mail/languages.ts';
import { formatMoney } from '../../shared/money.ts';
import { type Html, html, pageRoutes, sendPage } from '../page.ts';
import { pageTexts } from '../texts/index.ts';
import { returnPages, returnParts } from './order-returns.ts';
import { qrPng } from './qr-png.ts';
import { shopLink } from './shop-link.ts';

const Params = Type.Object({ token: Type.String({ maxLength: 300 }) });

const DocumentParams = Type.Object({ ...Params.properties, documentId: Type.String({ maxLength: 64 }) });

/** The page that the link in order emails opens. */
export function orderPage(app: App): void {
  pageRoutes(
    app,
    (pages) => {
      pages.get(
        '/order/:token',
        { config: { access: 'public' }, schema: { params: Params } },
        async (request, reply) => {
          const view = await query(request, showOrder, request.params.token);
          if (!view) throw notFound('Order');
          const { language } = view;
          const title = textsIn(language).order.number(String(view.number));
          return sendPage(reply, title, body(view, request.params.token), {
            lang: language,
            // The button redirects to the provider's page.
            formTargets: view.exchange?.provider === 'STRIPE' ? 'https:' : '',
          });
        },
      );

      pages.get(
        '/order/:token/qr.png',
        { config: { access: 'public' }, schema: { params: Params } },
        async (request, reply) => {
          const view = await query(request, showOrder, request.params.token);
          if (!view?.bankTransfer?.epc) throw notFound('QR code');
          return reply
            .header('content-type', 'image/png')
            .header('cache-control', 'private, no-store')
            .send(qrPng(view.bankTransfer.epc));
        },
      );

      pages.post(
        '/order/:token/pay',
        { config: { access: 'public' }, schema: { params: Params } },
        async (request, reply) => {
          const url = await command(request, payExchange, request.params.token);
          if (!url) throw notFound('Order');
          return reply.redirect(url, 303);
        },
      );

      for (const format of ['pdf', 'xml'] as const) {
        const url = `/order/:token/documents/:documentId/${format}`;
        const schema = { params: DocumentParams };
        pages.get(url, { config: { access: 'public' }, schema }, async (request, reply) => {
          const file = await stream(request, downloadLinked, { ...request.params, format, signal: closing(reply) });
          if (!file) throw notFound('Document');
          return reply
            .header('content-type', file.contentType)
            .header('content-disposition', `inline; filename="${file.fileName}"`)
            .header('cache-control', 'private, no-store')
            .send(Buffer.from(file.content as string));
        });
      }
      returnPages(pages);
    },
    ({ order }) => ({ NOT_FOUND: order.notFound }),
  );
}

const statusOf = ({ status, fulfillment, language }: OrderView) => {
  const { statuses, partlyShipped } = pageTexts(language).order;
  return status === 'PROCESSING' && fulfillment === 'PARTIAL' ? partlyShipped : (statuses[status] ?? status);
};

function body(view: OrderView, token: string): Html {
  const { businessName, number, paymentStatus, createdAt, lines, display, taxes, currency, language } = view;
  const { refunded, exchanged } = view;
  const { taxIncluded, subtotal, shipping, discount, total } = display;
  const { order: names } = textsIn(language);
  const money = (minor: number) => formatMoney(minor, currency, language);
  const row = (name: string, amount: number) => html`<tr><td>${name}</td><td class="amount">${money(amount)}</td></tr>`;
  return html`${shopLink(view)}<h1>${names.number(String(number))}</h1>
<p class="quiet">${view.shop ? null : `${businessName}, `}${dayOf(createdAt, language, view.returns.timeZone)}</p>
<p><strong>${statusOf(view)}</strong> · ${pageTexts(language).order.payments[paymentStatus] ?? paymentStatus}</p>
${transfer(view)}
${shipments(view)}
<table><tbody>${lines.map(({ name, quantity, totalPrice }) =>
    row(quantity === 1 ? name : `${quantity} × ${name}`, totalPrice),
  )}
${row(names.subtotal, subtotal)}${discount > 0 ? row(names.discount, -discount) : null}${row(names.shipping, shipping)}
${taxIncluded ? null : taxes.map(({ name, amount }) => row(taxLabel(name, language), amount))}</tbody>
<tfoot><tr class="${view.exchange?.rest ? '' : 'total'}"><th scope="row">${names.total}</th><td class="amount">${money(total)}</td></tr>
${exchanged > 0 ? row(names.exchanged, -exchanged) : null}${refunded > exchanged ? row(names.refunded, exchanged - refunded) : null}${exchangeRows(view)}</tfoot></table>
${payForm(view, token)}
${taxIncluded ? taxes.map(({ name, amount }) => html`<p class="quiet small">${names.includes(money(amount), taxLabel(name, language))}</p>`) : null}
${returnParts(view.returns, token)}
${view.delivery.map(({ title, lines: rows }) => html`<h2>${title}</h2><p>${rows.map((line) => html`${line}<br>`)}</p>`)}
${documents(view)}`;
}

const exchangeRows = ({ exchange, currency, language }: OrderView): Html | null => {
  if (!exchange) return null;
  const { credit, amountDue } = textsIn(language).order;
  const money = (minor: number) => formatMoney(minor, currency, language);
  return html`<tr><td>${credit}</td><td class="amount">${money(-exchange.credit)}</td></tr>
${exchange.rest > 0 ? html`<tr class="total"><th scope="row">${amountDue}</th><td class="amount">${money(exchange.rest)}</td></tr>` : null}`;
};

function payForm({ exchange, currency, language }: OrderView, token: string): Html | null {
  if (!exchange || exchange.rest === 0) return null;
  return html`<form id="pay" method="post" action="/order/${token}/pay">
<button type="submit">${pageTexts(language).order.pay(formatMoney(exchange.rest, currency, language))}</button></form>`;
}

function documents({ documents, language, returns }: OrderView): Html | null {
  if (documents.length === 0) return null;
  const texts = pageTexts(language).order;
  const items = documents.map(({ type, number, issuedAt, urls }) => {
    const name = `${textsIn(language).order.documents[type]} ${number}`;
    const xml = urls.xml ? html` · <a href="${urls.xml}">XML</a>` : null;
    return html`<li><a href="${urls.pdf}">${name}</a>${xml} <span class="quiet">${dayOf(issuedAt, language, returns.timeZone)}</span></li>`;
  });
  return html`<h2>${texts.documents}</h2><ul>${items}</ul>`;
}

/** How to pay by bank transfer. Banking apps scan the QR code. */
function transfer({ bankTransfer, received, language, returns }: OrderView): Html | null {
  if (!bankTransfer) return null;
  const rows = instructionRows(bankTransfer, received, language, returns.timeZone).map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  );
  const { text, scan, qrCode: name } = textsIn(language).order.transfer;
  return html`<h2>${pageTexts(language).order.bankTransfer}</h2>
<p>${text} ${bankTransfer.epc === null ? null : scan}</p>
<table class="transfer"><tbody>${rows}</tbody></table>
${bankTransfer.epc === null ? null : qrCode(bankTransfer.epc, name)}`;
}

/** The SVG contains only the modules of the QR code, not its text. */
function qrCode(text: string, name: string): Html {
  const svg = renderSVG(text, { ecc: 'M', border: 4, pixelSize: 1 });
  return html`<div class="qr" role="img" aria-label="${name}">${{ html: svg }}</div>`;
}

/** With several shipments, or if items are left to ship, each shipment lists its items. */
function shipments({ shipments, fulfillment, tracking, language, returns }: OrderView): Html | null | Html[] {
  if (shipments.length === 0) return trackingOf(language, tracking);
  if (shipments.length === 1 && fulfillment === 'FULFILLED') return trackingOf(language, shipments[0]!.tracking);
  return shipments.map(
    ({ createdAt, lines, tracking }, i) => html`<h2>${pageTexts(language).order.shipment} ${i + 1}</h2>
<p class="quiet">${dayOf(createdAt, language, returns.timeZone)}</p>
<ul>${lines.map(({ name, quantity }) => html`<li>${quantity} × ${name}</li>`)}</ul>
${trackingOf(language, tracking)}`,
  );
}

function trackingOf(
  language: OrderView['language'],
  { carrier, number, url }: NonNullable<OrderView['tracking']> = {},
): Html | null {
  const text = [carrier, number].filter(Boolean).join(' ') || url;
  if (!text) return null;
  return html`<p>${textsIn(language).order.tracking}: ${url ? html`<a href="${url}">${text}</a>` : text}</p>`;
}
