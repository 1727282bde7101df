/** German translations of messages from the API that have no code of their own: conflicts, notes on imports, reasons. */
export const sentences: Readonly<Record<string, string>> = {
  // Permissions
  'This requires the {permission} permission in {where}.': 'Dafür brauchst du die Berechtigung {permission}.',
  'Log in with a confirmed email address to create a business.':
    'Melde dich mit einer bestätigten E-Mail-Adresse an, um ein Unternehmen zu erstellen.',
  'This invitation was sent to a different email address. Log in with that address.':
    'Diese Einladung ging an eine andere E-Mail-Adresse. Melde dich mit dieser Adresse an.',
  'Only the author of a note or an admin can change it.':
    'Nur wer die Notiz geschrieben hat oder Admin ist, kann sie ändern.',
  'Registration is by invitation only. Use the link in your invitation.':
    'Du kannst dich nur mit einer Einladung registrieren. Öffne den Link in deiner Einladung.',
  // Fields
  '{field} has an invalid format. Use a value such as {example}.': 'Verwende ein Format wie {example}.',
  'planIds is required if access is PLANS.': 'Wähle mindestens einen Tarif.',
  'A customer must have an email, a name or a phone number.':
    'Gib eine E-Mail-Adresse, einen Namen oder eine Telefonnummer ein.',
  'The email or password is incorrect.': 'E-Mail oder Passwort ist falsch.',
  'Your current password is incorrect.': 'Dein aktuelles Passwort ist falsch.',
  // Team and account
  'A business must have at least one admin. Make someone else an admin first.':
    'Es muss mindestens einen Admin geben. Mache zuerst jemand anderen zum Admin.',
  'The roles in this invitation no longer exist. Ask for a new invitation.':
    'Die Rollen dieser Einladung gibt es nicht mehr. Bitte um eine neue Einladung.',
  'You are the only admin of {names}. Make someone else an admin or delete the business first.':
    'Du bist der einzige Admin von {names}. Mache zuerst jemand anderen zum Admin oder lösche das Unternehmen.',
  'This email has just been registered. Log in to accept the invitation.':
    'Für diese E-Mail-Adresse gibt es jetzt ein Konto. Melde dich an, um die Einladung anzunehmen.',
  'Add a passkey or an authenticator app first.': 'Füge zuerst einen Passkey oder eine Authenticator-App hinzu.',
  'You already have an authenticator app. Remove it first.':
    'Du hast bereits eine Authenticator-App. Entferne sie zuerst.',
  'You can have up to {max} passkeys. Remove one first.':
    'Du kannst höchstens {max} Passkeys haben. Entferne zuerst einen.',
  'A business can have up to {max} publishable keys. Delete one first.':
    'Pro Unternehmen sind höchstens {max} öffentliche Schlüssel möglich. Lösche zuerst einen.',
  'This customer has no account, so there is nothing to view.':
    'Dieser Kunde hat kein Konto. Es gibt deshalb nichts anzusehen.',
  // Storefront
  "Another business has verified this host. Remove that business's TXT record first.":
    'Ein anderes Unternehmen hat diese Domain bereits verifiziert. Entferne zuerst dessen TXT-Eintrag.',
  'A business can have at most {max} categories.': 'Pro Unternehmen sind höchstens {max} Kategorien möglich.',
  // Orders
  'This order has nothing left to pay.': 'Diese Bestellung ist bereits vollständig bezahlt.',
  'This payment is being completed. Try again in a minute.':
    'Diese Zahlung wird gerade abgeschlossen. Versuche es in einer Minute erneut.',
  'This order has nothing left to refund.': 'Diese Bestellung ist bereits vollständig erstattet.',
  'There is nothing left to refund for these items.': 'Für diese Artikel gibt es nichts mehr zu erstatten.',
  "A paid order's items and totals can't be changed.":
    'Artikel und Summen einer bezahlten Bestellung können nicht geändert werden.',
  'The customer may be paying for this order right now. Try again after the payment completes or expires.':
    'Der Kunde bezahlt diese Bestellung möglicherweise gerade. Versuche es erneut, wenn die Zahlung abgeschlossen oder abgelaufen ist.',
  "This shipment can't be undone because some of its items were refunded or returned.":
    'Der Versand kann nicht rückgängig gemacht werden, weil Artikel dieser Sendung erstattet oder zurückgegeben wurden.',
  'This order has no email address. Add one, then resend the email.':
    'Für diese Bestellung ist keine E-Mail-Adresse hinterlegt. Füge eine hinzu und sende die E-Mail dann erneut.',
  "The order's email address has just changed. Try again.":
    'Die E-Mail-Adresse der Bestellung wurde gerade geändert. Versuche es erneut.',
  'The status history of this order has reached its limit of {max} entries.':
    'Der Statusverlauf dieser Bestellung hat bereits {max} Einträge. Mehr sind nicht möglich.',
  "A canceled order can't be shipped.": 'Eine stornierte Bestellung kann nicht versandt werden.',
  'This order has nothing left to ship.': 'Diese Bestellung ist bereits vollständig versandt.',
  'An order can have at most {max} shipments.': 'Pro Bestellung sind höchstens {max} Sendungen möglich.',
  'An order can have at most {max} returns.': 'Pro Bestellung sind höchstens {max} Rückgaben möglich.',
  'An order can have at most {max} notes.': 'Pro Bestellung sind höchstens {max} Notizen möglich.',
  "A withdrawal within the withdrawal period can't be rejected.":
    'Ein Widerruf innerhalb der Widerrufsfrist kann nicht abgelehnt werden.',
  'This return is being refunded. Wait until the refund completes.':
    'Diese Rückgabe wird gerade erstattet. Warte, bis die Erstattung abgeschlossen ist.',
  'This return is {status}. Only a return that is {from} can be set to {next}.':
    'Der Status dieser Rückgabe hat sich geändert. Lade die Seite neu.',
  // Media and content
  'This file is in use. Remove it from the listed records first, or set force=true.':
    'Diese Datei wird noch verwendet. Entferne sie zuerst dort.',
  'Someone else edited this file. Try again.': 'Jemand anderes hat diese Datei bearbeitet. Versuche es erneut.',
  'This upload is being checked. Try again after the check finishes.':
    'Dieser Upload wird gerade geprüft. Versuche es nach der Prüfung erneut.',
  '{file} was deleted while it was being uploaded. Upload it again.':
    '{file} wurde während des Uploads gelöscht. Lade die Datei erneut hoch.',
  "This release is {status} and can't be changed. Create a new release.":
    'Dieses Release kann nicht mehr geändert werden. Erstelle ein neues.',
  'Publishing kept failing for 24 hours, so retries were stopped. Publish again, or contact your administrator.':
    'Die Veröffentlichung ist 24 Stunden lang immer wieder fehlgeschlagen und wird nicht mehr automatisch wiederholt. Versuche es erneut oder wende dich an deinen Administrator.',
  // Imports
  '“{text}” was read as month/day/year. Use the format 2024-12-31 if that is wrong.':
    '„{text}“ wurde als Monat/Tag/Jahr gelesen. Wenn das nicht stimmt, verwende das Format 2024-12-31.',
  'The private key of the sender address is not part of an export. If the address is new to this business, a new key was generated: publish its DNS records.':
    'Der private Schlüssel der Absenderadresse ist nicht Teil des Exports. Falls die Adresse in diesem Unternehmen neu ist, wurde ein neuer Schlüssel erzeugt. Trage seine DNS-Einträge ein.',
  'The file does not say how many were shipped. The item was imported as not shipped.':
    'In der Datei steht nicht, wie viele versandt wurden. Der Artikel wurde als nicht versandt importiert.',
  'The status {status} is not supported. The post was imported as a draft.':
    'Der Status {status} wird nicht unterstützt. Der Beitrag wurde als Entwurf importiert.',
  'Cards of type {card} were left out.': 'Karten vom Typ {card} wurden ausgelassen.',
  'The text contains {tag} elements. They were left out.': 'Der Text enthält {tag}-Elemente. Sie wurden ausgelassen.',
  '“{values}” was left out because it is not an option of the field {field}.':
    '„{values}“ wurde ausgelassen, weil das Feld {field} diese Option nicht hat.',
  'The refund of {refund} is higher than the paid amount and was reduced to {paid}.':
    'Die Erstattung von {refund} ist höher als der bezahlte Betrag und wurde auf {paid} reduziert.',
  'The image “{url}” was left out: its URL must start with https:// or http://.':
    'Das Bild „{url}“ wurde ausgelassen. Seine URL muss mit https:// oder http:// beginnen.',
  'Links to the blog itself were changed to relative links, such as /about/.':
    'Links auf das Blog selbst wurden in relative Links wie /about/ geändert.',
  'The file has too many tags and authors. Some tags or authors of this post may be missing.':
    'Die Datei enthält zu viele Tags und Autoren. Bei diesem Beitrag fehlen möglicherweise einige.',
  // Bank transfers
  'Order #{number} is in {currency}.': 'Die Bestellung #{number} ist in {currency}, die Zahlung nicht.',
  'Order #{number} does not use bank transfer.': 'Die Bestellung #{number} wird nicht per Überweisung bezahlt.',
  'Log in with single sign-on first, to make sure that it works.':
    'Melde dich zuerst per Single Sign-on an, um sicherzugehen, dass es funktioniert.',
  // Newsletters
  'Turn on click tracking for this newsletter, or choose the winner yourself.':
    'Schalte das Klick-Tracking für diesen Newsletter ein oder bestimme den Gewinner selbst.',
  'Turn on open tracking for this newsletter, or choose the winner yourself.':
    'Schalte das Öffnungs-Tracking für diesen Newsletter ein oder bestimme den Gewinner selbst.',
  'This address is on the suppression list. Remove it from the list to send test emails to it.':
    'Diese Adresse ist gesperrt. Entferne sie aus der Liste, um Test-E-Mails an sie zu senden.',
  'This entry has a scheduled or running send. Cancel the send first.':
    'Der Versand dieser Ausgabe läuft oder ist geplant. Brich den Versand zuerst ab.',
  'redirectUrl must be on an allowed origin.':
    'Diese Seite gehört zu keiner erlaubten Website. Bitte deinen Administrator, die Website zu erlauben.',
  'A scheduled send uses this segment. Cancel the send first.':
    'Dieses Segment wird für einen geplanten Versand verwendet. Brich den Versand zuerst ab.',
  'This send has no A/B test.': 'Dieser Versand hat keinen A/B-Test.',
  'A winner can be chosen only while the send is running.':
    'Der Gewinner kann nur während des Versands gewählt werden.',
  'The winner was already chosen.': 'Der Gewinner wurde bereits gewählt.',
  "This send has already finished and can't be canceled.":
    'Dieser Versand ist bereits abgeschlossen und kann nicht abgebrochen werden.',
  'This entry was already sent or scheduled. Set resend=true to send it again.':
    'Diese Ausgabe wurde bereits versandt oder ihr Versand ist geplant. Wähle „Erneut an Abonnenten senden, die diese Ausgabe bereits erhalten haben“, um sie noch einmal zu senden.',
  "This subscriber has unsubscribed or the address bounced, so it can't be deleted. The address is kept so that it is never emailed again.":
    'Diese Person hat sich abgemeldet oder ihre Adresse ist unzustellbar. Sie kann deshalb nicht gelöscht werden. Die Adresse bleibt gespeichert, damit sie keine E-Mails mehr erhält.',
  'This subscriber has no recurring plan.': 'Diese Person hat kein laufendes Abo.',
  'The payment provider has no billing portal for this shop.':
    'Beim Zahlungsanbieter ist für diesen Shop kein Kundenportal eingerichtet.',
  // Imports and exports
  'This import has already ended.': 'Dieser Import ist bereits beendet.',
  'This business already has {max} imports queued or running. Wait until one finishes, or cancel one.':
    'In diesem Unternehmen laufen oder warten bereits {max} Importe. Warte, bis einer fertig ist, oder brich einen ab.',
  'A whole business can only be imported into an empty business. Create a new business first.':
    'Ein ganzes Unternehmen kann nur in ein leeres Unternehmen importiert werden. Erstelle zuerst ein neues.',
  'The user who started this import no longer has the {permission} permission.':
    'Wer diesen Import gestartet hat, hat die Berechtigung {permission} nicht mehr.',
  'Too many records have errors. Check that this is the right file.':
    'Zu viele Datensätze sind fehlerhaft. Prüfe, ob das die richtige Datei ist.',
  'The file was deleted before the import finished.': 'Die Datei wurde gelöscht, bevor der Import fertig war.',
  'CSV exports support at most {max} markets. Export as ndjson instead.':
    'CSV-Exporte sind mit höchstens {max} Märkten möglich. Exportiere stattdessen als NDJSON.',
  'The file was read as {encoding}. If characters look wrong, save the file as UTF-8 and import it again.':
    'Die Datei wurde als {encoding} gelesen. Wenn Zeichen falsch aussehen, speichere die Datei als UTF-8 und importiere sie erneut.',
  'The delimiter is “tab”.': 'Das Trennzeichen ist der Tabulator.',
  'The delimiter is “{delimiter}”.': 'Das Trennzeichen ist „{delimiter}“.',
  'Listmonk does not export who unsubscribed from a single list. Export only confirmed subscribers of one list.':
    'In Listmonk-Exporten fehlt, wer sich von einer einzelnen Liste abgemeldet hat. Exportiere nur bestätigte Abonnenten einer Liste.',
  'The sale is over. The regular price was imported.':
    'Das Angebot ist abgelaufen. Der reguläre Preis wurde importiert.',
  'The sale applies{when}. It was not scheduled, because a price is missing.':
    'Das Angebot ist befristet. Es wurde nicht eingeplant, weil ein Preis fehlt.',
  'Ignored columns: {names}.': 'Ignorierte Spalten: {names}.',
  'Ignored fields: {names}.': 'Ignorierte Felder: {names}.',
  // Webhooks
  'A business can have at most {max} webhooks. Delete one first.':
    'Pro Unternehmen sind höchstens {max} Webhooks möglich. Lösche zuerst einen.',
  'The endpoint responded with 410 Gone.': 'Der Endpunkt hat mit 410 Gone geantwortet.',
  'All deliveries have failed for three days.': 'Seit drei Tagen schlagen alle Zustellungen fehl.',
  // Busy or unavailable
  'Too many requests of this kind. Try again in a few seconds.':
    'Zu viele Anfragen dieser Art. Versuche es in einigen Sekunden erneut.',
  'The payment provider is not responding. Try again later.':
    'Der Zahlungsanbieter antwortet nicht. Versuche es später erneut.',
  'Content generation is temporarily unavailable. Try again later.':
    'Die Texterstellung ist vorübergehend nicht verfügbar. Versuche es später erneut.',
  'Publish this email before you turn the automation on.':
    'Veröffentliche diese E-Mail, bevor du die Automatisierung aktivierst.',
  'Add a step before you turn the automation on.': 'Füge einen Schritt hinzu, bevor du die Automatisierung aktivierst.',
  'The newsletter has no entry with this ID.': 'Diese E-Mail gibt es in diesem Newsletter nicht.',
  'An automation sends this entry. Remove it from the automation first.':
    'Dieser Eintrag wird in einer Automatisierung gesendet. Entferne ihn zuerst aus der Automatisierung.',
  'This person has already left the automation.': 'Für diese Person ist die Automatisierung bereits beendet.',
};
