import type { Catalogue } from '../index.ts';

export const entrance: Catalogue['entrance'] = {
  title: 'Souk',
  name: 'Name',
  passwordHint: 'Mindestens 8 Zeichen, darunter ein Buchstabe und eine Ziffer oder ein anderes Zeichen.',
  create: 'Konto anlegen',
  hasAccount: 'Ich habe ein Konto',
  invitedText: 'Sind Sie eingeladen? Dann benutzen Sie den Link in der Mail.',
  registered: 'Sehen Sie in Ihre Mail',
  registeredText:
    'Wir haben einen Link an {email} gesendet. Er gilt eine Stunde. Bestätigen Sie damit, dann melden Sie sich an.',
  forgotText: 'Wir senden Ihnen einen Link, um ein neues zu wählen.',
  sendLink: 'Link senden',
  forgotSent: 'Falls {email} hier ein Konto hat, ist ein Link unterwegs. Er gilt eine Stunde.',
  toLogIn: 'Zur Anmeldung',
  mailbox: 'Postfach dieses Entwicklungsdienstes öffnen',
};
