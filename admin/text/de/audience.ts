import type { Catalog } from '../catalog.ts';

export const audience: Catalog['audience'] = {
  tags: 'Tags',
  tag: 'Tag',
  tagsHint: 'Tags durch Kommas trennen',
  referrals: 'Empfehlungen',
  referralsLabel: 'Empfehlungslinks',
  referralsHint:
    'Jeder Abonnent erhält einen Empfehlungslink. Um ihn in einer Ausgabe anzuzeigen, füge die Variable referralUrl ein.',
  fields: 'Eigene Felder',
  newField: 'Neues Feld',
  addTag: 'Tag hinzufügen',
  removeTag: 'Tag entfernen',
  tagged: '1 Abonnent hat jetzt das Tag „{tag}“|{count} Abonnenten haben jetzt das Tag „{tag}“',
  untagged: 'Tag „{tag}“ bei 1 Abonnenten entfernt|Tag „{tag}“ bei {count} Abonnenten entfernt',
};

export const forms: Catalog['forms'] = {
  title: 'Anmeldeformulare',
  new: 'Neues Formular',
  none: 'Erstelle dein erstes Anmeldeformular',
  noneText:
    'Binde ein Formular auf einer beliebigen Website ein oder teile den Link. Neue Abonnenten bestätigen per E-Mail, bevor sie den Newsletter erhalten.',
  name: 'Name',
  nameHint: 'Nur für dein Team sichtbar',
  newsletter: 'Newsletter',
  plan: 'Tarif',
  heading: 'Überschrift',
  text: 'Text',
  button: 'Text der Schaltfläche',
  asksName: 'Nach dem Namen fragen',
  tags: 'Tags für neue Abonnenten',
  fields: 'Weitere Felder',
  fieldsHint: 'Bis zu 5 Namen, durch Kommas getrennt, zum Beispiel ort, geburtstag',
  thanks: 'Dankestext',
  thanksHint: 'Wird nach der Anmeldung angezeigt. Leer lassen für den Standardtext.',
  redirectUrl: 'Weiterleitung nach der Anmeldung',
  redirectHint:
    'Diese Seite wird anstelle des Dankestexts geöffnet. Sie muss zu deinem Onlineshop oder zu einer anderen Website gehören, die dein Administrator erlaubt hat.',
  embed: 'Einbetten',
  embedText: 'Füge dieses HTML auf einer beliebigen Website ein. Es funktioniert ohne JavaScript.',
  copy: 'HTML kopieren',
  copied: 'HTML kopiert',
  link: 'Link',
  preview: 'Vorschau',
  details: 'Formular',
  after: 'Nach der Anmeldung',
  saveFirst: 'Speichere das Formular, um HTML und Link zu erhalten.',
  open: 'Formular öffnen',
  deleteTitle: 'Formular löschen?',
  deleteText: 'Wer das Formular auf einer Website absendet, erhält dann eine Fehlermeldung.',
};
