import type { Catalog } from '../catalog.ts';

export const auth: Catalog['auth'] = {
  name: 'Name',
  passwordHint: 'Mindestens 8 Zeichen, darunter ein Buchstabe und eine Zahl oder ein Sonderzeichen',
  create: 'Konto erstellen',
  hasAccount: 'Ich habe bereits ein Konto',
  invitedText:
    'Wurdest du in das Team eines Unternehmens eingeladen? Verwende stattdessen den Link in der Einladungs-E-Mail.',
  registered: 'Schau in dein Postfach',
  registeredText: 'Wir haben einen Bestätigungslink an {email} gesendet. Er ist 1 Stunde gültig.',
  forgotText: 'Gib deine E-Mail-Adresse ein. Wir senden dir einen Link, mit dem du dein Passwort zurücksetzen kannst.',
  sendLink: 'Link senden',
  forgotSent:
    'Wenn es ein Konto für {email} gibt, haben wir einen Link zum Zurücksetzen gesendet. Er ist 1 Stunde gültig.',
  toLogIn: 'Zur Anmeldung',
  mailbox: 'Entwicklungspostfach öffnen',
  logInWithCode: 'Mit E-Mail-Code anmelden',
  codeText: 'Gib deine E-Mail-Adresse ein. Wir senden dir einen Code. Du brauchst kein Passwort.',
  sendCode: 'Code senden',
  codeSent:
    'Falls {email} zur Anmeldung verwendet werden kann, haben wir einen Code an diese Adresse gesendet. Er ist 10 Minuten gültig.',
  code: 'Code',
  codeHint: '6 Ziffern',
  otherEmail: 'Andere E-Mail-Adresse verwenden',
  otherBrowser:
    'Öffne den Link in dem Browser, in dem du den Code angefordert hast, oder fordere hier einen neuen Code an.',
  logInWithSso: 'Mit Single Sign-on anmelden',
  ssoText: 'Gib deine geschäftliche E-Mail-Adresse ein. Wir leiten dich zur Anmeldung deines Unternehmens weiter.',
  ssoContinue: 'Weiter',
  noSso: 'Für {domain} gibt es kein Single Sign-on. Melde dich stattdessen mit deinem Passwort an.',
  ssoChoose: 'Bei welchem Unternehmen möchtest du dich anmelden?',
};
