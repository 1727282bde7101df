import type { MailTexts } from './en.ts';

const KEPT: Record<string, [one: string, many: string]> = {
  orders: ['Bestellung', 'Bestellungen'],
  payments: ['Zahlung', 'Zahlungen'],
  refunds: ['Erstattung', 'Erstattungen'],
};

export const de: MailTexts = {
  mails: {
    RECEIVED: {
      subject: 'Bestellung #{{order.number}} bestätigt',
      body: '<h1>Danke für deine Bestellung</h1><p>Wir haben deine Bestellung bei {{business.name}} erhalten. Deine Bestellnummer ist #{{order.number}}.</p>',
      button: 'Bestellung ansehen',
    },
    AWAITING_PAYMENT: {
      subject: 'Bestellung #{{order.number}} eingegangen',
      body: '<h1>Danke für deine Bestellung</h1><p>Wir haben deine Bestellung #{{order.number}} bei {{business.name}} erhalten. Sobald deine Zahlung eingegangen ist, schreiben wir dir.</p>',
      button: 'Bestellung ansehen',
    },
    CONFIRMED: {
      subject: 'Bestellung #{{order.number}} bestätigt',
      body: '<h1>Danke für deine Bestellung</h1><p>{{business.name}} hat deine Zahlung über {{payment.amount}} erhalten. Deine Bestellnummer ist #{{order.number}}.</p>',
      button: 'Bestellung ansehen',
    },
    PAID: {
      subject: 'Zahlung für Bestellung #{{order.number}} erhalten',
      body: '<h1>Wir haben deine Zahlung erhalten</h1><p>Vielen Dank für deine Zahlung über {{payment.amount}} für die Bestellung #{{order.number}}.</p>',
      button: 'Bestellung ansehen',
    },
    SHIPPED: {
      subject: 'Bestellung #{{order.number}} ist unterwegs',
      body: '<h1>Deine Bestellung ist unterwegs</h1><p>Deine Bestellung #{{order.number}} bei {{business.name}} ist unterwegs.</p>',
      button: 'Bestellung ansehen',
    },
    PARTLY_SHIPPED: {
      subject: 'Eine Sendung aus Bestellung #{{order.number}} ist unterwegs',
      body: '<h1>Eine Sendung ist unterwegs</h1><p>Ein Teil deiner Bestellung #{{order.number}} bei {{business.name}} ist unterwegs.</p>',
      button: 'Bestellung ansehen',
    },
    CANCELLED: {
      subject: 'Bestellung #{{order.number}} storniert',
      body: '<h1>Deine Bestellung wurde storniert</h1><p>Deine Bestellung #{{order.number}} bei {{business.name}} wurde storniert.</p>',
      button: 'Bestellung ansehen',
    },
    REFUNDED: {
      subject: 'Erstattung für Bestellung #{{order.number}}',
      body: '<h1>Deine Erstattung ist unterwegs</h1><p>Wir haben {{refund.amount}} für die Bestellung #{{order.number}} erstattet. Es kann einige Tage dauern, bis der Betrag auf deinem Konto erscheint.</p>',
      button: 'Bestellung ansehen',
    },
    RETURN_REQUESTED: {
      subject: 'Rückgabe für Bestellung #{{order.number}} angefragt',
      body: '<h1>Wir haben deine Rückgabeanfrage erhalten</h1><p>Wir prüfen deine Anfrage für die Bestellung #{{order.number}} und melden uns dann per E-Mail.</p>',
      button: 'Bestellung ansehen',
    },
    RETURN_APPROVED: {
      subject: 'Rückgabe für Bestellung #{{order.number}} genehmigt',
      body: '<h1>Deine Rückgabe ist genehmigt</h1><p>Deine Rückgabe für die Bestellung #{{order.number}} ist genehmigt. Sende diese Artikel an uns zurück.</p>',
      button: 'Bestellung ansehen',
    },
    RETURN_REJECTED: {
      subject: 'Rückgabe für Bestellung #{{order.number}} abgelehnt',
      body: '<h1>Wir können deine Rückgabe nicht annehmen</h1><p>Leider können wir diese Artikel aus der Bestellung #{{order.number}} nicht zurücknehmen.</p>',
      button: 'Bestellung ansehen',
    },
    RETURN_RECEIVED: {
      subject: 'Rückgabe für Bestellung #{{order.number}} eingegangen',
      body: '<h1>Deine Rückgabe ist eingegangen</h1><p>Wir haben die zurückgesendeten Artikel aus der Bestellung #{{order.number}} erhalten.</p>',
      button: 'Bestellung ansehen',
    },
    WITHDRAWAL_RECEIVED: {
      subject: 'Widerruf für Bestellung #{{order.number}} eingegangen',
      body: '<h1>Wir haben deinen Widerruf erhalten</h1><p>Hiermit bestätigen wir, dass wir deinen Widerruf für diese Artikel aus der Bestellung #{{order.number}} erhalten haben.</p>',
      button: 'Bestellung ansehen',
    },
    EXCHANGED: {
      subject: 'Umtausch für Bestellung #{{exchange.order}}',
      body: '<h1>Dein Umtausch</h1><p>Wir tauschen Artikel aus deiner Bestellung #{{exchange.order}} bei {{business.name}} um. Deine neue Bestellnummer ist #{{order.number}}.</p>',
      button: 'Neue Bestellung ansehen',
    },
    CONFIRM_SUBSCRIPTION: {
      subject: 'Bestätige deine Anmeldung zu „{{newsletter.name}}“',
      body: '<h1>Bestätige deine Anmeldung</h1><p>Du hast dich für den Newsletter „{{newsletter.name}}“ von {{business.name}} angemeldet. Bestätige deine Anmeldung, um ihn zu erhalten.</p>',
      button: 'Anmeldung bestätigen',
      note: 'Dieser Link ist 7 Tage gültig. Wenn du dich nicht angemeldet hast, ignoriere diese E-Mail einfach. Du bekommst dann keinen Newsletter.',
    },
    PLAN_RENEWED: {
      subject: 'Dein Abo „{{newsletter.name}}“ wurde verlängert',
      body: '<h1>Dein Abo wurde verlängert</h1><p>{{business.name}} hat deine Zahlung über {{plan.amount}} für dein Abo „{{newsletter.name}}“ erhalten. Es ist bis zum {{plan.paidUntil}} bezahlt.</p>',
      button: 'Abo verwalten',
      note: 'Dieser Link ist 30 Tage gültig. Gib ihn nicht weiter.',
    },
    PLAN_PAST_DUE: {
      subject: 'Deine Zahlung für „{{newsletter.name}}“ ist fehlgeschlagen',
      body: '<h1>Deine Zahlung ist fehlgeschlagen</h1><p>Deine Zahlung über {{plan.amount}} an {{business.name}} für dein Abo „{{newsletter.name}}“ ist fehlgeschlagen. Du erhältst keine neuen Ausgaben, bis die Zahlung eingegangen ist. Aktualisiere deine Kartendaten oder kündige dein Abo.</p>',
      button: 'Abo verwalten',
      note: 'Dieser Link ist 30 Tage gültig. Gib ihn nicht weiter.',
    },
    PLAN_CANCELLED: {
      subject: 'Dein Abo „{{newsletter.name}}“ ist gekündigt',
      body: '<h1>Dein Abo ist gekündigt</h1><p>Dein Abo „{{newsletter.name}}“ ist gekündigt. Du erhältst bis zum {{plan.paidUntil}} noch alle Ausgaben. Es wird nichts mehr abgebucht. Wenn du nicht gekündigt hast oder es dir anders überlegst, kannst du dein Abo behalten.</p>',
      button: 'Abo verwalten',
      note: 'Dieser Link ist 30 Tage gültig. Gib ihn nicht weiter.',
    },
    PLAN_ENDED: {
      subject: 'Dein Abo „{{newsletter.name}}“ ist beendet',
      body: '<h1>Dein Abo ist beendet</h1><p>Dein Abo „{{newsletter.name}}“ bei {{business.name}} ist beendet. Du erhältst keine neuen Ausgaben, und es wird nichts mehr abgebucht.</p>',
      button: 'Abo ansehen',
      note: 'Dieser Link ist 30 Tage gültig. Gib ihn nicht weiter.',
    },
    PLAN_LINK: {
      subject: 'Dein Abo „{{newsletter.name}}“',
      body: '<h1>Verwalte dein Abo</h1><p>Hier ist der Link zu deinem Abo „{{newsletter.name}}“. Du kannst deine Zahlungen ansehen, deine Kartendaten aktualisieren oder das Abo kündigen.</p>',
      button: 'Abo verwalten',
      note: 'Dieser Link ist 30 Tage gültig. Gib ihn nicht weiter.',
    },
    CART_REMINDER: {
      subject: 'Du hast noch etwas im Warenkorb',
      body: '<h1>Dein Warenkorb wartet auf dich</h1><p>Du wolltest an deinen Warenkorb bei {{business.name}} erinnert werden. Er ist noch da. Es gelten die aktuellen Preise.</p>',
      button: 'Warenkorb ansehen',
    },
    INVITATION: {
      subject: 'Einladung ins Team von {{business.name}}',
      body: '<h1>Du bist eingeladen</h1><p>{{invitedBy}} hat dich ins Team von {{business.name}} eingeladen. Du kannst die Einladung innerhalb von 7 Tagen annehmen oder ablehnen.</p>',
      button: 'Einladung ansehen',
      note: 'Wenn du diese Einladung nicht erwartet hast, ignoriere diese E-Mail einfach.',
    },
    CONFIRM_ACCOUNT: {
      subject: 'Bestätige deine E-Mail-Adresse',
      body: '<h1>Bestätige deine E-Mail-Adresse</h1><p>Bestätige deine E-Mail-Adresse, um dein Konto fertig einzurichten. Dieser Link ist 1 Stunde gültig.</p>',
      button: 'E-Mail-Adresse bestätigen',
      note: 'Wenn du kein Konto erstellt hast, ignoriere diese E-Mail einfach. Das Konto bleibt dann inaktiv.',
    },
    CONFIRM_ACCOUNT_AGAIN: {
      subject: 'Bestätige deine E-Mail-Adresse',
      body: '<h1>Bestätige deine E-Mail-Adresse</h1><p>Bestätige deine E-Mail-Adresse, um dein Konto fertig einzurichten. Dieser Link ist 1 Stunde gültig.</p>',
      button: 'E-Mail-Adresse bestätigen',
      note: 'Für diese E-Mail-Adresse gibt es schon eine Registrierung, die noch nicht bestätigt ist. Jeder Link aktiviert nur die Registrierung, zu der er gehört, mit dem dabei gewählten Passwort. Verwende diesen Link nur, wenn du dich gerade registriert hast.',
    },
    RESET_PASSWORD: {
      subject: 'Passwort zurücksetzen',
      body: '<h1>Passwort zurücksetzen</h1><p>Wir haben eine Anfrage erhalten, dein Passwort zurückzusetzen. Wähle innerhalb von 1 Stunde ein neues.</p>',
      button: 'Neues Passwort wählen',
      note: 'Wenn du das nicht angefordert hast, ignoriere diese E-Mail einfach. Dein Passwort bleibt unverändert.',
    },
    LOGIN_CODE: {
      subject: 'Dein Anmeldecode: {{code}}',
      body: '<h1>Dein Anmeldecode</h1><p>Gib diesen Code in dem Browser ein, in dem du ihn angefordert hast:</p><h2>{{code}}</h2><p>Er ist 10 Minuten gültig und funktioniert nur einmal.</p>',
      button: 'Anmelden',
      note: 'Die Anmeldung mit dieser E-Mail funktioniert nur in dem Browser, in dem du den Code angefordert hast. Wenn du ihn nicht angefordert hast, ignoriere diese E-Mail einfach. Gib den Code nicht weiter.',
    },
    NEW_DEVICE: {
      subject: 'Neue Anmeldung in deinem Konto',
      body: '<h1>Neue Anmeldung in deinem Konto</h1><p>Jemand hat sich in deinem Konto mit einem Gerät angemeldet, das du bisher nicht verwendet hast: {{device}}, IP-Adresse {{address}}.</p><p>Wenn du das warst, musst du nichts tun. Wenn nicht, melde dieses Gerät ab und ändere dein Passwort.</p>',
      button: 'Sitzungen prüfen',
    },
    NEW_API_KEY: {
      subject: 'Neuer API-Schlüssel: {{key}}',
      body: '<h1>Neuer API-Schlüssel</h1><p>In deinem Konto wurde der API-Schlüssel „{{key}}“ erstellt. Die Anfrage kam von der IP-Adresse {{address}}.</p><p>Wenn du das nicht warst, widerrufe den Schlüssel und ändere dein Passwort.</p>',
      button: 'API-Schlüssel prüfen',
    },
    KEYS_UNCONFIRMED: {
      subject: 'Bestätige deine API-Schlüssel',
      body: '<h1>Bestätige deine API-Schlüssel</h1><p>Du hast deinem Konto den ersten zweiten Faktor hinzugefügt. API-Schlüssel, die davor erstellt wurden, funktionieren erst wieder, wenn du sie bestätigst.</p><p>Bestätige die Schlüssel, die du verwendest, und widerrufe die anderen.</p>',
      button: 'API-Schlüssel prüfen',
    },
    KEYS_UNCONFIRMED_IN: {
      subject: 'Bestätige deine API-Schlüssel für {{business.name}}',
      body: '<h1>Bestätige deine API-Schlüssel</h1><p>{{business.name}} hat eine Sicherheitsrichtlinie aktiviert. API-Schlüssel, die davor erstellt wurden, funktionieren für dieses Unternehmen erst wieder, wenn du sie bestätigst. Wenn das Unternehmen Single Sign-on verlangt, melde dich damit an, um sie zu bestätigen.</p><p>Bestätige die Schlüssel, die du verwendest, und widerrufe die anderen.</p>',
      button: 'API-Schlüssel prüfen',
    },
    PASSKEY_ADDED: {
      subject: 'Passkey hinzugefügt',
      body: '<h1>Passkey hinzugefügt</h1><p>Deinem Konto wurde der Passkey „{{passkey}}“ hinzugefügt. Du kannst dich jetzt damit anmelden.</p><p>Die Anfrage kam von der IP-Adresse {{address}}.</p>',
      button: 'Sicherheitseinstellungen prüfen',
      note: 'Wenn du das nicht warst, ändere sofort dein Passwort und beende deine anderen Sitzungen.',
    },
    PASSKEY_REMOVED: {
      subject: 'Passkey entfernt',
      body: '<h1>Passkey entfernt</h1><p>Der Passkey „{{passkey}}“ wurde aus deinem Konto entfernt. Die Anmeldung damit ist nicht mehr möglich.</p><p>Die Anfrage kam von der IP-Adresse {{address}}.</p>',
      button: 'Sicherheitseinstellungen prüfen',
      note: 'Wenn du das nicht warst, ändere sofort dein Passwort und beende deine anderen Sitzungen.',
    },
    TOTP_ADDED: {
      subject: 'Authenticator-App hinzugefügt',
      body: '<h1>Authenticator-App hinzugefügt</h1><p>Deinem Konto wurde eine Authenticator-App hinzugefügt. Ab jetzt brauchst du einen Code aus der App, wenn du dich ohne Passkey anmeldest.</p><p>Die Anfrage kam von der IP-Adresse {{address}}.</p>',
      button: 'Sicherheitseinstellungen prüfen',
      note: 'Wenn du das nicht warst, ändere sofort dein Passwort und beende deine anderen Sitzungen.',
    },
    TOTP_REMOVED: {
      subject: 'Authenticator-App entfernt',
      body: '<h1>Authenticator-App entfernt</h1><p>Die Authenticator-App wurde aus deinem Konto entfernt. Zum Anmelden brauchst du keinen Code aus der App mehr.</p><p>Die Anfrage kam von der IP-Adresse {{address}}.</p>',
      button: 'Sicherheitseinstellungen prüfen',
      note: 'Wenn du das nicht warst, ändere sofort dein Passwort und beende deine anderen Sitzungen.',
    },
    RECOVERY_CODES_CREATED: {
      subject: 'Neue Wiederherstellungscodes',
      body: '<h1>Neue Wiederherstellungscodes</h1><p>Für dein Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen Codes funktionieren nicht mehr.</p><p>Die Anfrage kam von der IP-Adresse {{address}}.</p>',
      button: 'Sicherheitseinstellungen prüfen',
      note: 'Wenn du das nicht warst, ändere sofort dein Passwort und beende deine anderen Sitzungen.',
    },
    RECOVERY_CODE_USED: {
      subject: 'Wiederherstellungscode verwendet',
      body: '<h1>Wiederherstellungscode verwendet</h1><p>Einer der Wiederherstellungscodes deines Kontos wurde verwendet. Er funktioniert nicht mehr.</p><p>Die Anfrage kam von der IP-Adresse {{address}}.</p>',
      button: 'Sicherheitseinstellungen prüfen',
      note: 'Wenn du das nicht warst, ändere sofort dein Passwort und beende deine anderen Sitzungen.',
    },
    FACTORS_RESET: {
      subject: 'Zwei-Faktor-Authentifizierung zurückgesetzt',
      body: '<h1>Zwei-Faktor-Authentifizierung zurückgesetzt</h1><p>Ein Administrator hat die Passkeys und die Authenticator-App aus deinem Konto entfernt. Du wurdest überall abgemeldet. Melde dich mit deinem Passwort an und richte die Zwei-Faktor-Authentifizierung wieder ein.</p>',
      button: 'Sicherheitseinstellungen prüfen',
      note: 'Wenn du nicht darum gebeten hast, wende dich an deinen Administrator und ändere dein Passwort.',
    },
    ACCOUNT_DELETED: {
      subject: 'Dein Konto wurde gelöscht',
      body: '<h1>Dein Konto wurde gelöscht</h1><p>Jemand, der in deinem Konto angemeldet war, hat es gelöscht. Du wurdest überall abgemeldet.</p><p>Wir löschen jetzt deine personenbezogenen Daten. Wenn das erledigt ist, schreiben wir dir.</p>',
    },
    ACCOUNT_ERASED: {
      subject: 'Deine personenbezogenen Daten wurden gelöscht',
      body: '<h1>Deine Daten wurden gelöscht</h1><p>Wir haben die personenbezogenen Daten gelöscht, die wir über dich gespeichert hatten.</p>',
      note: 'Dies ist die letzte E-Mail zu deiner Anfrage.',
    },
    STAFF_REFUND_MADE: {
      subject: '{{business.name}}: Bestellung #{{order.number}} beim Zahlungsanbieter erstattet',
      body: '<h1>Bestellung #{{order.number}} erstattet</h1><p>Für die Bestellung #{{order.number}} wurden {{amount}} im Dashboard deines Zahlungsanbieters erstattet. Die Erstattung ist in der Bestellung vermerkt.</p>',
      button: 'Bestellung öffnen',
    },
    STAFF_REFUND_FAILED: {
      subject: '{{business.name}}: Erstattung für Bestellung #{{order.number}} fehlgeschlagen',
      body: '<h1>Erstattung fehlgeschlagen</h1><p>Die Erstattung von {{amount}} für die Bestellung #{{order.number}} ist fehlgeschlagen, und dein Zahlungsanbieter hat dir das Geld wieder gutgeschrieben. Kontaktiere den Kunden, um den Betrag auf anderem Weg zu erstatten.</p>',
      button: 'Bestellung öffnen',
    },
    STAFF_DISPUTE_OPEN: {
      subject: '{{business.name}}: Zahlung für Bestellung #{{order.number}} angefochten',
      body: '<h1>Zahlung angefochten</h1><p>Eine Zahlung über {{amount}} für die Bestellung #{{order.number}} wurde angefochten. Antworte im Dashboard deines Zahlungsanbieters vor Ablauf der dort genannten Frist.</p>',
      button: 'Bestellung öffnen',
    },
    STAFF_DISPUTE_WON: {
      subject: '{{business.name}}: Anfechtung für Bestellung #{{order.number}} gewonnen',
      body: '<h1>Anfechtung gewonnen</h1><p>Die Anfechtung der Zahlung über {{amount}} für die Bestellung #{{order.number}} wurde zu deinen Gunsten entschieden.</p>',
      button: 'Bestellung öffnen',
    },
    STAFF_DISPUTE_LOST: {
      subject: '{{business.name}}: Anfechtung für Bestellung #{{order.number}} verloren',
      body: '<h1>Anfechtung verloren</h1><p>Die Anfechtung der Zahlung über {{amount}} für die Bestellung #{{order.number}} wurde zugunsten des Kunden entschieden. In der Bestellung ist der Betrag als erstattet vermerkt.</p>',
      button: 'Bestellung öffnen',
    },
    BACK_IN_STOCK: {
      subject: '{{product.name}} ist wieder verfügbar',
      body: '<h1>{{product.name}} ist wieder verfügbar</h1><p>Du wolltest von {{business.name}} erfahren, wenn es diesen Artikel wieder gibt. Reservieren können wir ihn leider nicht.</p>',
      button: 'Zum Artikel',
      note: 'Diese E-Mail bekommst du nur einmal. Deine Anfrage haben wir gelöscht.',
    },
    STAFF_MENTION: {
      subject: '{{business.name}}: {{author}} hat dich in Bestellung #{{order.number}} erwähnt',
      body: '<h1>{{author}} hat dich erwähnt</h1><p>{{author}} hat dich in einer Notiz zur Bestellung #{{order.number}} erwähnt.</p>',
      button: 'Bestellung öffnen',
    },
    STAFF_WEBHOOK_DISABLED: {
      subject: 'Webhook für {{business.name}} deaktiviert',
      body: '<h1>Webhook deaktiviert</h1><p>Wir haben den Webhook {{webhook.url}} für {{business.name}} deaktiviert. {{reason}}</p><p>Sobald du ihn wieder aktivierst, erhält er die Ereignisse, die in der Zwischenzeit aufgetreten und noch gespeichert sind.</p>',
    },
    STAFF_SENDER_LOST: {
      subject: 'DNS-Einträge von {{sender.domain}} fehlen',
      body: '<h1>DNS-Einträge fehlen</h1><p>Die DNS-Einträge, die {{sender.domain}} verifizieren, fehlen oder sind falsch. {{business.name}} versendet E-Mails deshalb jetzt von {{service.address}}.</p><p>Stelle die Einträge wieder her, die unter „Einstellungen › Absenderadresse“ stehen. Wir prüfen sie täglich, und du kannst sie dort jederzeit selbst prüfen.</p>',
    },
  },
  order: {
    number: (number) => `Bestellung #${number}`,
    payment: (business) => `Deine Bestellung bei ${business}`,
    inShipment: 'In dieser Sendung',
    stillToCome: 'Folgt noch',
    returned: 'Artikel',
    subtotal: 'Zwischensumme',
    shipping: 'Versand',
    discount: 'Rabatt',
    reverseCharge: 'MwSt. (Reverse Charge)',
    taxDeduction: 'Abzüglich enthaltener Steuer',
    vat: 'MwSt.',
    tax: 'Steuer',
    total: 'Gesamtsumme',
    includes: (amount, name) => `Enthält ${amount} ${name}`,
    refunded: 'Erstattet',
    exchanged: 'Mit Umtausch verrechnet',
    credit: 'Wert der zurückgesendeten Artikel',
    difference: 'Erstattete Differenz',
    exchange: 'Umtausch',
    exchangeRequested: 'Du möchtest einen Umtausch statt einer Erstattung.',
    exchangedItems: 'Zurückgesendete Artikel',
    newItems: 'Neue Artikel',
    amountDue: 'Offener Betrag',
    payNow: 'Jetzt bezahlen',
    shippingAddress: 'Lieferadresse',
    pickupLocation: 'Abholort',
    shippingMethod: 'Versandart',
    tracking: 'Sendungsverfolgung',
    transfer: {
      title: 'Per Überweisung bezahlen',
      text: 'Überweise den Betrag auf dieses Konto und gib den Verwendungszweck an.',
      scan: 'Oder scanne den QR-Code mit deiner Banking-App.',
      received: 'Bereits eingegangen',
      amount: 'Betrag',
      holder: 'Kontoinhaber',
      iban: 'IBAN',
      bic: 'BIC',
      bank: 'Bank',
      reference: 'Verwendungszweck',
      payBy: 'Zahlbar bis',
      qrCode: 'QR-Code für deine Banking-App',
    },
    notPaid: (dueDay) => `Deine Zahlung ist bis zum ${dueDay} nicht eingegangen.`,
    trackShipment: 'Sendung verfolgen',
    printLabel: 'Rücksendeetikett drucken',
    documents: { INVOICE: 'Rechnung', CREDIT_NOTE: 'Rechnungskorrektur' },
    instructions: 'So sendest du die Artikel zurück',
    reason: 'Grund',
    requestedAt: 'Anfrage eingegangen',
    withdrawnAt: 'Widerruf eingegangen',
    questions: 'Fragen? Antworte einfach auf diese E-Mail.',
  },
  cart: {
    total: 'Gesamtsumme',
    reason:
      'Du bekommst diese E-Mail, weil du um eine Erinnerung an diesen Warenkorb gebeten hast. Wir schicken keine weitere.',
    stop: 'Erinnerungen beenden',
  },
  kept: {
    none: 'Es wurde nichts aufbewahrt.',
    title: 'Das haben wir aufbewahrt',
    TAX_LAW: ({ count }) =>
      `${count} ${count === 1 ? 'Rechnung oder Rechnungskorrektur' : 'Rechnungen und Rechnungskorrekturen'}, die nach dem Steuerrecht unverändert aufbewahrt werden müssen.`,
    ACCOUNTING: ({ what, count }) =>
      `${count} ${KEPT[what]?.[count === 1 ? 0 : 1] ?? what} für die Buchhaltung. Nur die Beträge bleiben erhalten, ohne deinen Namen und deine Adresse.`,
    ORDER_OPEN: ({ count }) =>
      `${count} offene ${count === 1 ? 'Bestellung' : 'Bestellungen'}. Wende dich wegen Lieferungen oder Erstattungen an den Shop.`,
    PAYMENT_OPEN: ({ count }) =>
      count === 1
        ? '1 offene Zahlung. Sie läuft automatisch ab.'
        : `${count} offene Zahlungen. Sie laufen automatisch ab.`,
    MEMBER: () => 'Deine Mitgliedschaft im Team eines Unternehmens.',
    PAYMENT_PROVIDER: () => 'Daten beim Zahlungsanbieter. Wende dich an den Shop oder den Anbieter.',
    OBJECTION: () => 'Deine E-Mail-Adresse auf der Sperrliste, damit du keine Newsletter mehr bekommst.',
  },
  newsletter: {
    lang: 'de',
    consent: (newsletter, business, email) =>
      `Ich möchte den Newsletter „${newsletter}“ von ${business} an ${email} erhalten. Ich kann ihn jederzeit über den Link in jeder E-Mail abbestellen.`,
    free: 'Kostenlos',
    from: (price) => `Ab ${price}`,
    soldOut: 'Ausverkauft',
    unitPrice: (price, quantity, unit) =>
      `${price} / ${quantity === 1 ? '' : `${quantity.toLocaleString('de')} `}${unit.replace('m2', 'm²').replace('piece', 'Stück')}`,
    insteadOf: (price) => `statt ${price}`,
    lowestPrice: (price) => `Niedrigster Preis der 30 Tage vor der Reduzierung: ${price}`,
    reason: (newsletter, business) =>
      `Du erhältst diese E-Mail, weil du ${newsletter === business ? `den Newsletter von ${business}` : `${newsletter}, den Newsletter von ${business},`} abonniert hast.`,
    unsubscribe: 'Abbestellen',
    view: 'Im Browser ansehen',
    counted: {
      opens: 'Wir erfassen, ob diese E-Mail geöffnet wird.',
      clicks: 'Wir erfassen Klicks auf Links in dieser E-Mail.',
      both: 'Wir erfassen, ob diese E-Mail geöffnet und auf ihre Links geklickt wird.',
    },
    optOut: 'Tracking ausschalten',
    toPay: (plan, price) => `Dein Tarif: ${plan}, ${price}. Du bezahlst auf der nächsten Seite.`,
    price: {
      WEEKLY: (amount) => `${amount} pro Woche`,
      MONTHLY: (amount) => `${amount} pro Monat`,
      YEARLY: (amount) => `${amount} pro Jahr`,
    },
  },
  webhookDisabled: {
    GONE: 'Der Endpunkt hat mit 410 Gone geantwortet.',
    FAILING: 'Seit drei Tagen schlagen alle Zustellungen fehl.',
  },
  someone: 'Jemand',
  example: {
    items: ['Leinenhemd, M', 'Keramikbecher'],
    instructions:
      'Öffne deine Bestellseite, drucke das Etikett aus und klebe es auf das Paket.\nGib das Paket innerhalb von 14 Tagen ab.',
    reason: 'Die Artikel wurden getragen.',
  },
};
