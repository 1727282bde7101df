import type { Catalog } from '../catalog.ts';

export const elements: Catalog['elements'] = {
  insert: 'Einfügen',
  figure: 'Bild mit Bildunterschrift',
  figureHint: 'Ein Bild mit einer Zeile Text darunter',
  gallery: 'Galerie',
  galleryHint: 'Mehrere Bilder nebeneinander',
  button: 'Schaltfläche',
  buttonHint: 'Ein Link, der auffällt',
  product: 'Produkt',
  productHint: 'Mit aktuellem Preis und Bestand',
  embed: 'Einbettung',
  embedHint: 'Ein Video oder eine Seite als Bild mit Link',
  columns2: 'Zwei Spalten',
  columns2Hint: 'Auf Smartphones untereinander',
  columns3: 'Drei Spalten',
  columns3Hint: 'Auf Smartphones untereinander',
  divider: 'Trennlinie',
  dividerHint: 'Eine Linie zwischen zwei Abschnitten',
  label: 'Beschriftung',
  title: 'Titel',
  preview: 'Vorschaubild',
};

export const hints: Catalog['hints'] = {
  title: 'Vor dem Senden',
  SUBJECT_CAPITALS: 'Der Betreff besteht fast nur aus Großbuchstaben und wirkt dadurch wie Spam.',
  SUBJECT_PUNCTUATION: 'Der Betreff enthält gehäufte Satz- oder Währungszeichen und wirkt dadurch wie Spam.',
  SUBJECT_LONG: 'Der Betreff hat {detail} Zeichen. Auf Smartphones sind etwa 40 sichtbar.',
  FEW_WORDS: 'Die E-Mail besteht fast nur aus Bildern. Viele E-Mail-Programme blenden Bilder zunächst aus.',
  NO_ALT: 'Bilder ohne Alt-Text: {detail}. Ergänze den Alt-Text in der Mediathek.',
  SHORTENED_LINK: 'Einige Links führen über den Kurzlink-Dienst {detail}. Spamfilter blockieren Kurzlinks häufig.',
  DISGUISED_LINK: 'Ein Link zeigt {detail}, führt aber auf eine andere Website. Das wirkt wie Phishing.',
  NO_ADDRESS:
    'Deine Postanschrift fehlt. In vielen Ländern ist sie vorgeschrieben. Ergänze sie in den Unternehmenseinstellungen.',
  TOO_LARGE: 'Die E-Mail ist {detail} KB groß. Gmail kürzt E-Mails, die größer als 102 KB sind.',
};

export const design: Catalog['design'] = {
  title: 'Design',
  text: 'Gilt für jede Ausgabe dieses Newsletters.',
  color: 'Akzentfarbe',
  colorHint: 'Leer lassen, um die Farbe deiner Marke zu verwenden',
  header: 'Kopfzeile',
  footer: 'Fußzeile',
  noIssue: 'Schreibe eine Ausgabe, um eine Vorschau zu sehen.',
};
