import type { Catalog } from '../catalog.ts';

export const categories: Catalog['categories'] = {
  title: 'Kategorien',
  new: 'Neue Kategorie',
  manage: 'Kategorien erstellen',
  noneYet: 'Noch keine Kategorien.',
  none: 'Ordne deine Produkte',
  noneText:
    'Jede Kategorie ist eine Seite deines Onlineshops. Ein Produkt kann zu mehreren Kategorien gehören, und eine Kategorie kann weitere enthalten.',
  details: 'Angaben zur Kategorie',
  place: 'Position im Menü',
  parent: 'Übergeordnete Kategorie',
  topLevel: 'Keine (oberste Ebene)',
  slugHint: 'Teil der Kategorie-URL. Wenn du ihn änderst, leitet die alte URL auf die neue weiter.',
  image: 'Kategoriebild',
  moveUp: 'Nach oben',
  moveDown: 'Nach unten',
  moveIn: 'In die Kategorie darüber verschieben',
  moveOut: 'Eine Ebene höher verschieben',
  moved: '{name} verschoben',
};

export const seo: Catalog['seo'] = {
  section: 'Suchergebnis',
  hint: 'So erscheint diese Seite in Suchmaschinen',
  filled: 'Angepasst',
  preview: 'Vorschau des Suchergebnisses',
  noText: 'Ergänze eine Beschreibung, damit klar ist, worum es geht.',
  title: 'Titel im Suchergebnis',
  titleHint: '{count} von {max} Zeichen',
  text: 'Beschreibung im Suchergebnis',
  textHint: '{count} von {max} Zeichen',
  translations: 'Übersetzungen',
  translationsHint: 'Name, URL und Texte in anderen Sprachen',
  language: 'Sprache',
  addLanguage: 'Sprache hinzufügen',
  removeLanguage: '{language} entfernen',
  nameIn: 'Name auf {language}',
  slugIn: 'Slug auf {language}',
  contentIn: 'Text auf {language}',
};

export const safety: Catalog['safety'] = {
  section: 'Hersteller und Produktsicherheit',
  hint: 'Pflichtangaben für den Verkauf in der EU',
  manufacturer: 'Hersteller',
  responsible: 'Verantwortliche Person in der EU',
  responsibleHint: 'Nur nötig, wenn der Hersteller außerhalb der EU sitzt',
  company: 'Firma',
  address: 'Postanschrift',
  email: 'Kontakt-E-Mail',
  url: 'Website',
  warnings: 'Warnhinweise',
  warningsHint: 'Erscheinen auf der Produktseite, zum Beispiel „Von Kindern fernhalten“.',
};

export const redirects: Catalog['redirects'] = {
  title: 'Weiterleitungen',
  new: 'Neue Weiterleitung',
  created: 'Weiterleitung erstellt',
  search: 'Weiterleitungen suchen',
  hint: 'Wer eine alte Adresse öffnet, landet auf der neuen. Wenn du einen Slug änderst, wird die Weiterleitung automatisch erstellt.',
  none: 'Keine Weiterleitungen',
  noneText: 'Du ziehst von einem anderen Shop um? Leite die alten Adressen auf deine neuen Seiten weiter.',
  from: 'Alter Pfad',
  fromHint: 'Zum Beispiel /products/alter-name',
  to: 'Neuer Pfad oder URL',
  toHint: 'Zum Beispiel /products/neuer-name oder https://example.com',
  origin: 'Erstellt',
  automatic: 'Automatisch',
  manual: 'Manuell',
};
