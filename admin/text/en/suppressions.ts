export const suppressions = {
  title: 'Suppressed addresses',
  text: "These addresses don't get newsletters, cart reminders, or back-in-stock emails. Emails about orders and accounts are still sent.",
  add: 'Suppress address',
  added: '{email} suppressed',
  none: 'No suppressed addresses',
  noneText: 'Addresses are added automatically after a bounce or a spam complaint.',
  reason: 'Reason',
  BOUNCE: 'Bounced',
  COMPLAINT: 'Marked as spam',
  MANUAL: 'Added by team',
  since: 'Suppressed',
  details: 'Details',
  note: 'Note',
  remove: 'Remove from list',
  removeText:
    'Remove an address only if its owner asks you to. If email to it bounced, they also have to subscribe again.',
  removed: '{email} removed',
};

export const delivery = {
  title: 'Bounces and complaints',
  text: 'Your email provider reports bounces and spam complaints. Affected addresses no longer get newsletters.',
  provider: 'Email provider',
  none: 'None',
  secret: 'Key',
  secret_SES: 'ARN of the SNS topic',
  secret_MAILGUN: 'Webhook signing key',
  secret_POSTMARK: 'Webhook password',
  secret_SENDGRID: 'Verification key',
  hint_SES:
    'In Amazon SES, publish bounces, complaints, and deliveries to this topic, and subscribe the URL below to it.',
  hint_MAILGUN:
    'In Mailgun, open Webhooks. Add the URL below for permanent and temporary failures, spam complaints, and deliveries.',
  hint_POSTMARK:
    'Choose a password of at least 16 characters. In Postmark, add a webhook for bounces, spam complaints, and deliveries with the URL below.',
  hint_SENDGRID:
    'In SendGrid, open Mail Settings, then Event Webhook. Enter the URL below, turn on the signature, and copy the key.',
  url: 'Webhook URL',
  password: 'PASSWORD',
};
