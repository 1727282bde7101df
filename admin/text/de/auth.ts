import type { Catalogue } from '../catalogue.ts';

export const auth: Catalogue['auth'] = {
  name: 'Name',
  passwordHint: 'Mindestens 8 Zeichen, darunter ein Buchstabe und eine Zahl oder ein Sonderzeichen',
  create: 'Konto erstellen',
  hasAccount: 'Stattdessen anmelden',
  invitedText: 'Wurdest du zu einem Unternehmen eingeladen? Verwende stattdessen den Link in der Einladungs-E-Mail.',
  registered: 'Prüfe deinen Posteingang',
  registeredText: 'Wir haben einen Bestätigungslink an {email} gesendet. Er läuft in 1 Stunde ab.',
  forgotText: 'Gib deine E-Mail-Adresse ein. Wir senden dir einen Link, mit dem du dein Passwort zurücksetzen kannst.',
  sendLink: 'Link senden',
  forgotSent:
    'Wenn es ein Konto für {email} gibt, haben wir einen Link zum Zurücksetzen gesendet. Er läuft in 1 Stunde ab.',
  toLogIn: 'Zur Anmeldung',
  mailbox: 'Entwicklungspostfach öffnen',
};
