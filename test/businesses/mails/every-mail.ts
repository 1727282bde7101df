/** Every kind of email in every language. */
import assert from 'node:assert/strict';
import { invitationMail } from '../../../src/domains/businesses/invitations/mail.ts';
import { writeBusinessMail } from '../../../src/domains/businesses/mail-templates/business-mail.ts';
import { FIXED_KINDS, TEMPLATE_KINDS } from '../../../src/shared/mail/kinds.ts';
import { LANGUAGES, textsIn } from '../../../src/shared/mail/languages.ts';
import type { Harness } from '../../harness.ts';
import { openShop } from '../../orders/shop.ts';

export const EVIL = '<script>alert(1)</script> & "Co"';
export const LONG = 'W'.repeat(200);
const FIXED = FIXED_KINDS.filter((kind) => kind !== 'INVITATION');
const SENDER = { 'sender.domain': 'linen.example', 'service.address': 'no-reply@service.example' };
const business = { id: 'biz_1', name: EVIL, configs: {} };

type Rendered = { name: string; subject: string; html: string; text: string };

/** Every email about an order with this item, and every other email. */
export async function listMails(h: Harness, item: string): Promise<Rendered[]> {
  const shop = await openShop(h, {
    markets: [{ id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE', taxBps: 1900 }],
    brand: { color: '#c2410c' },
    email: { replyTo: 'help@shop.example', footer: `Register <b>HRB 1</b>\n${LONG}` },
    profile: {
      legalName: 'Shop GmbH',
      address: { street: 'Hauptstraße 1', zip: '10827', city: 'Berlin', country: 'DE' },
    },
  });
  const { token } = await h.member(shop.businessId, 'BUSINESS_WRITE');
  const product = await shop.product({ name: item, price: 1190, currency: 'eur', market: 'eu' });
  const { orderId } = (await shop.checkout(product, { market: 'eu', quantity: 2, locale: 'de' })).body;
  const mails: Rendered[] = [];
  for (const language of LANGUAGES) {
    for (const kind of TEMPLATE_KINDS) {
      const isOrder = !/SUBSCRIPTION|PLAN|CART/.test(kind);
      const { status, body } = await h.call('POST', `${shop.base}/mail-templates/${kind}/preview?locale=${language}`, {
        token,
        body: isOrder ? { orderId } : {},
      });
      assert.equal(status, 200, JSON.stringify(body));
      mails.push({ name: `${kind} ${language}`, ...body });
    }
    const values = { amount: '€1', 'order.number': '7', 'webhook.url': EVIL, reason: EVIL, ...SENDER };
    for (const kind of FIXED) {
      const hasButton = textsIn(language).mails[kind].button !== undefined;
      const link = hasButton && { link: { url: 'https://shop.example/confirm?token=x', isRepeated: true } };
      const mail = writeBusinessMail(business, { kind, language, values, ...link, publicUrl: 'https://shop.example' });
      mails.push({ name: `${kind} ${language}`, ...mail });
    }
    const row = { ...business, configs: { email: { locale: language } } } as never;
    const sent = { invitedBy: null, link: 'https://shop.example/i', publicUrl: 'https://shop.example' };
    mails.push({ name: `INVITATION ${language}`, html: '', ...invitationMail('a@example.com', row, sent) });
  }
  return mails;
}
