import type { Catalog } from '../catalog.ts';

export const addresses: Catalog['addresses'] = {
  shipping: 'Lieferadresse',
  billing: 'Rechnungsadresse',
  sameAsShipping: 'Identisch mit der Lieferadresse',
  none: 'Keine Adresse',
  edit: 'Adressen bearbeiten',
  name: 'Name',
  company: 'Firma',
  street2: 'Adresszusatz',
  phone: 'Telefon',
  vatId: 'USt-IdNr.',
  vatIdHint: 'Für Geschäftskunden in der EU',
  title: 'Adressen',
  shipTo: 'Lieferung an',
  pickUpAt: 'Abholung bei',
  pickup: 'Abholort',
  billTo: 'Rechnung an',
  sameBilling: 'Rechnungsadresse entspricht der Lieferadresse',
  repriceHint:
    'Wenn du die Adresse einer unbezahlten Bestellung änderst, werden Versandkosten und Steuern neu berechnet.',
  defaults: 'Standardadressen',
  defaultsText: 'Neue Bestellungen werden mit diesen Adressen vorausgefüllt.',
  addShipping: 'Lieferadresse hinzufügen',
  addBilling: 'Rechnungsadresse hinzufügen',
  zipHint: 'Prüfe die Postleitzahl. Üblich ist das Format {example}.',
};
