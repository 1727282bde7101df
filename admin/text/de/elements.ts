import type { Catalogue } from '../catalogue.ts';

export const elements: Catalogue['elements'] = {
  insert: 'Einfügen',
  figure: 'Bild mit Bildunterschrift',
  figureHint: 'Ein Bild und eine Zeile darunter',
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
  dividerHint: 'Eine Linie zwischen zwei Teilen',
  label: 'Beschriftung',
  title: 'Titel',
  preview: 'Vorschaubild',
};

export const hints: Catalogue['hints'] = {
  title: 'Vor dem Senden',
  SUBJECT_CAPITALS: 'Der Betreff besteht fast nur aus Großbuchstaben und wirkt wie Spam.',
  SUBJECT_PUNCTUATION: 'Der Betreff enthält gehäufte Satzzeichen und wirkt wie Spam.',
  SUBJECT_LONG: 'Der Betreff hat {detail} Zeichen. Smartphones zeigen etwa 40.',
  FEW_WORDS: 'Die E-Mail enthält neben Bildern kaum Text. Viele Menschen sehen keine Bilder.',
  NO_ALT: 'Bilder ohne Beschreibung: {detail}. Fügen Sie den Alternativtext in der Mediathek hinzu.',
  SHORTENED_LINK: 'Links führen über {detail}. Spamfilter misstrauen gekürzten Links.',
  DISGUISED_LINK: 'Ein Link zeigt {detail}, führt aber woandershin. Das wirkt wie Phishing.',
  NO_ADDRESS:
    'Ihre Postanschrift fehlt. Viele Länder schreiben sie vor. Ergänzen Sie sie in den Einstellungen Ihres Unternehmens.',
  TOO_LARGE: 'Die E-Mail ist {detail} KB groß. Gmail blendet alles nach 102 KB aus.',
};

export const design: Catalogue['design'] = {
  title: 'Design',
  text: 'Gilt für jede Ausgabe dieses Newsletters.',
  color: 'Akzentfarbe',
  colorHint: 'Leer für die Farbe Ihrer Marke',
  header: 'Kopfbereich',
  footer: 'Fußbereich',
  noIssue: 'Schreiben Sie eine Ausgabe, um eine Vorschau zu sehen.',
};
