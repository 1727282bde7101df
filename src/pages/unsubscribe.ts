import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  type Billing,
  cancelByToken,
  findBillingByToken,
  findByToken,
  findTokenLocale,
  mailPlanLink,
  setTracking,
  unsubscribe,
} from '../domains/newsletters/index.ts';
import { command, query } from '../http/command.ts';
import type { App } from '../http/server.ts';
import { dayOf } from '../shared/day.ts';
import type { Language } from '../shared/mail/languages.ts';
import { BusinessParams, Success } from '../shared/schemas.ts';
import { done } from './form.ts';
import { type Html, html, pageRoutes, sendPage, wantsPage } from './page.ts';
import { browserLanguage, pageTexts } from './texts/index.ts';

const Token = Type.String({ maxLength: 500, description: 'The token from the link in an email.' });
const params = Type.Object({ token: Token });
const config = { access: 'public' } as const;

/**
 * The page that the unsubscribe link in a newsletter opens. A GET changes nothing unless the client accepts only JSON, because mail
 * scanners also follow links. A POST unsubscribes: from the page's button, or from a mail client through RFC 8058, which sends
 * `List-Unsubscribe=One-Click` as a form.
 */
export function unsubscribePage(app: App): void {
  pageRoutes(
    app,
    (pages) => {
      pages.get('/unsubscribe/:token', { config, schema: { params, response: { 200: Success } } }, (request, reply) =>
        handleGet(request, reply, request.params.token),
      );

      pages.get(
        '/v1/businesses/:businessId/collections/unsubscribe',
        {
          config,
          schema: {
            tags: ['Newsletters'],
            summary: 'Unsubscribe with the token from an email',
            description:
              'Unsubscribes immediately if the client accepts `application/json` but not `text/html`. Browsers get a page with a button.',
            params: BusinessParams,
            querystring: Type.Object({ token: Token }),
            response: { 200: Success },
          },
        },
        (request, reply) => handleGet(request, reply, request.query.token),
      );

      pages.post(
        '/unsubscribe/:token',
        { config, schema: { params, response: { 200: Success } } },
        async (request, reply) => {
          const { token } = request.params;
          const { action } = (request.body ?? {}) as { action?: unknown };
          const { language: lang, timeZone } = await query(request, findTokenLocale, token);
          const texts = pageTexts(lang).unsubscribe;
          const send = (title: string, text: string) => sendPage(reply, title, done(title, text), { lang });
          if (action === 'cancel') {
            const canceled = await command(request, cancelByToken, token);
            if (canceled) return send(texts.canceled, texts.canceledText(dayOf(canceled.paidUntil, lang, timeZone)));
            const nothing = html`<h1>${texts.nothing}</h1><p>${texts.nothingText}</p>`;
            return sendPage(reply, texts.nothing, nothing, { lang });
          }
          if (action === 'track' || action === 'do-not-track') {
            await command(request, setTracking, { token, doNotTrack: action === 'do-not-track' });
            return action === 'track' ? send(texts.on, texts.onText) : send(texts.off, texts.offText);
          }
          if (action === 'manage') {
            await command(request, mailPlanLink, token);
            return send(pageTexts(lang).common.checkInbox, texts.mailed);
          }
          const response = await command(request, unsubscribe, token);
          return wantsPage(request) ? send(texts.done, texts.doneText) : response;
        },
      );
    },
    ({ unsubscribe: { invalid } }) => ({ INVALID_VALUE: invalid }),
  );
}

async function handleGet(request: FastifyRequest, reply: FastifyReply, token: string) {
  if (request.headers.accept?.includes('application/json') && !wantsPage(request)) {
    return command(request, unsubscribe, token);
  }
  if (token === 'example') {
    const lang = browserLanguage(request);
    const { title, example } = pageTexts(lang).unsubscribe;
    return sendPage(reply, title, html`<h1>${title}</h1><p>${example}</p>`, { lang });
  }
  const { language: lang, timeZone } = await query(request, findTokenLocale, token);
  const texts = pageTexts(lang).unsubscribe;
  const subscription = await query(request, findByToken, token);
  if (!subscription || subscription.status === 'UNSUBSCRIBED') {
    return sendPage(reply, texts.done, done(texts.done, texts.doneText), { lang });
  }
  const billing = await query(request, findBillingByToken, token);
  const parts = billing
    ? paidParts(token, subscription.email, billing, { lang, timeZone })
    : html`<h1>${texts.title}</h1>
<p>${texts.text(subscription.email)}</p>
<form method="post" action="/unsubscribe/${token}" class="actions"><button type="submit">${texts.button}</button></form>`;
  return sendPage(reply, texts.title, html`${parts}${trackingForm(lang, token, subscription.doNotTrack)}`, { lang });
}

/** Subscribers who opted out are counted only in totals. */
function trackingForm(lang: Language, token: string, isOff: boolean): Html {
  const texts = pageTexts(lang).unsubscribe;
  return html`
<hr><h2>${texts.tracking}</h2>
<p>${isOff ? texts.isUntracked : texts.isTracked}</p>
<form method="post" action="/unsubscribe/${token}" class="actions">
<button name="action" value="${isOff ? 'track' : 'do-not-track'}" class="quiet">${isOff ? texts.turnOn : texts.turnOff}</button>
</form>`;
}

/** A newsletter may be forwarded, so this page shows only that the plan is paid and when it ends. */
function paidParts(
  token: string,
  email: string,
  billing: Billing,
  { lang, timeZone }: { lang: Language; timeZone: string },
): Html {
  const texts = pageTexts(lang).unsubscribe;
  const until = dayOf(billing.paidUntil, lang, timeZone);
  const isCanceled = billing.cancelAtPeriodEnd;
  return html`<h1>${isCanceled ? texts.title : texts.paidTitle}</h1>
<p>${texts.paidText(email, until)}</p>
${isCanceled ? html`<p class="notice" role="status">${texts.canceledNotice}</p>` : null}
<form method="post" action="/unsubscribe/${token}" class="actions">
${isCanceled ? null : html`<button name="action" value="cancel">${texts.cancelOn(until)}</button>`}
<button name="action" value="unsubscribe" class="danger">${texts.unsubscribeNow}</button>
<button name="action" value="manage" class="quiet">${texts.emailLink}</button>
</form>
<p class="quiet small">${isCanceled ? texts.canceledHint : texts.paidHint}</p>`;
}
