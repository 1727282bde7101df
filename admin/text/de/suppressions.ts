import type { Catalog } from '../catalog.ts';

export const suppressions: Catalog['suppressions'] = {
  title: 'Gesperrte Adressen',
  text: 'Diese Adressen erhalten keine Newsletter, Warenkorb-Erinnerungen oder „Wieder verfügbar“-E-Mails. E-Mails zu Bestellungen und Konten werden weiter gesendet.',
  add: 'Adresse sperren',
  added: '{email} gesperrt',
  none: 'Keine gesperrten Adressen',
  noneText: 'Adressen werden automatisch hinzugefügt, wenn E-Mails unzustellbar sind oder als Spam gemeldet werden.',
  reason: 'Grund',
  BOUNCE: 'Unzustellbar',
  COMPLAINT: 'Als Spam gemeldet',
  MANUAL: 'Vom Team gesperrt',
  since: 'Gesperrt',
  details: 'Details',
  note: 'Notiz',
  remove: 'Von der Liste entfernen',
  removeText:
    'Entferne eine Adresse nur, wenn ihr Inhaber darum bittet. War sie unzustellbar, muss er den Newsletter auch neu abonnieren.',
  removed: '{email} entfernt',
};

export const delivery: Catalog['delivery'] = {
  title: 'Unzustellbare E-Mails und Beschwerden',
  text: 'Dein E-Mail-Anbieter meldet unzustellbare E-Mails und Spam-Beschwerden. Die betroffenen Adressen erhalten keine Newsletter mehr.',
  provider: 'E-Mail-Anbieter',
  none: 'Keiner',
  secret: 'Schlüssel',
  secret_SES: 'ARN des SNS-Themas',
  secret_MAILGUN: 'Signaturschlüssel für Webhooks',
  secret_POSTMARK: 'Webhook-Passwort',
  secret_SENDGRID: 'Prüfschlüssel',
  hint_SES:
    'Stelle in Amazon SES ein, dass Bounces, Beschwerden und Zustellungen an dieses Thema gemeldet werden, und abonniere das Thema mit der URL unten.',
  hint_MAILGUN:
    'Öffne in Mailgun „Webhooks“. Füge die URL unten für dauerhafte und vorübergehende Fehler, Spam-Beschwerden und Zustellungen hinzu.',
  hint_POSTMARK:
    'Wähle ein Passwort mit mindestens 16 Zeichen. Füge in Postmark mit der URL unten einen Webhook für Bounces, Spam-Beschwerden und Zustellungen hinzu.',
  hint_SENDGRID:
    'Öffne in SendGrid „Mail Settings“ und dann „Event Webhook“. Gib die URL unten ein, schalte die Signatur ein und kopiere den Schlüssel.',
  url: 'Webhook-URL',
  password: 'PASSWORT',
};
