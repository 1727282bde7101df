/** Filled in for each recipient. All other variables are known when the email is rendered. */
export const RECIPIENT_VARIABLES = [
  'subscriber.name',
  'subscriber.email',
  'unsubscribeUrl',
  'viewUrl',
  'referralUrl',
] as const;

export const VARIABLES = [
  {
    name: 'subscriber.name',
    description: "The subscriber's name, or the part of the email address before the @ if there is no name.",
    example: 'Ada',
  },
  { name: 'subscriber.email', description: "The subscriber's email address.", example: 'ada@example.com' },
  {
    name: 'unsubscribeUrl',
    description: "The subscriber's unsubscribe link. If an email doesn't include it, it's added to the footer.",
    example: 'https://shop.example/unsubscribe/…',
  },
  {
    name: 'viewUrl',
    description:
      "The link that shows the email in the subscriber's browser. If an email doesn't include it, it's added to the footer.",
    example: 'https://shop.example/newsletter/…',
  },
  {
    name: 'referralUrl',
    description: "The subscriber's referral link, if referrals are turned on for the newsletter.",
    example: 'https://shop.example/r/…',
  },
  { name: 'business.name', description: 'The name of the business.', example: 'Linen & Co' },
  {
    name: 'entry.<blockId>',
    description: 'The value of another field of the entry. entry.id and entry.locale also work.',
    example: 'entry.title',
  },
];
