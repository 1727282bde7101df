import Type, { type Static } from 'typebox';
import { BusinessId, Currency, Id, IdOrSlug, MoneyMinor, Nullable, Timestamp } from '../../../shared/schemas.ts';
import { Tracking } from '../sends/schemas.ts';

const Count = (description: string) => Type.Integer({ description, examples: [12] });

const reactions = {
  opened: Count('Subscribers who opened it, excluding those who opted out of tracking.'),
  opens: Count('All opens, including those of subscribers who opted out of tracking.'),
  clicked: Count('Subscribers who clicked a link, excluding those who opted out of tracking.'),
  clicks: Count('All clicks, including those of subscribers who opted out of tracking.'),
};

export const LinkStats = Type.Object({
  url: Type.String({ examples: ['https://shop.example/linen'] }),
  clicks: Count('All clicks, including those of subscribers who opted out of tracking.'),
});

export const VariantStats = Type.Object({
  subject: Type.String({ examples: ['Linen is back'] }),
  entryId: { ...Id, description: 'The entry that this version sends.' },
  sent: Count('Subscribers who got this version in the test.'),
  ...reactions,
});

export const SendSales = Type.Object({
  currency: Currency,
  orders: Type.Integer({ examples: [3] }),
  gross: MoneyMinor,
  refunds: MoneyMinor,
  net: MoneyMinor,
});

export const SendStats = Type.Object({
  tracking: Tracking,
  sent: Count('Accepted by the mail server.'),
  delivered: Count('Sent emails, excluding those that bounced later.'),
  bounced: Count('Rejected because the address does not exist, or reported by the email provider.'),
  complained: Count('Reported as spam.'),
  unsubscribed: Count('Subscribers who unsubscribed within 30 days, before they got another issue.'),
  ...reactions,
  links: Type.Array(LinkStats, { description: 'The links in the email, most clicked first.' }),
  variants: Type.Array(VariantStats, { description: 'The test groups of an A/B test.' }),
  sales: Nullable(
    Type.Array(SendSales, {
      description:
        'Paid orders by customers who clicked a link in the 7 days before they ordered. Null without the `ORDER_READ` permission.',
    }),
  ),
});
export type SendStats = Static<typeof SendStats>;

export const GrowthParams = Type.Object({ businessId: BusinessId, id: IdOrSlug });
export const GrowthQuery = Type.Object({
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
});
export type GrowthQuery = Static<typeof GrowthQuery>;

export const GrowthDay = Type.Object({
  at: { ...Timestamp, description: 'The start of the day in the time zone of the business.' },
  joined: Count('New subscriptions, confirmed or not.'),
  confirmed: Count('Subscriptions that became active.'),
  left: Count('Active subscriptions that ended.'),
});

export const Growth = Type.Object({
  from: Timestamp,
  to: Timestamp,
  timeZone: Type.String({ examples: ['Europe/Berlin'] }),
  active: Count('Active subscribers now.'),
  days: Type.Array(GrowthDay, { description: 'Days without changes are left out.' }),
});
export type Growth = Static<typeof Growth>;
