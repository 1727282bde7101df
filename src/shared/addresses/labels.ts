/** The labels of address fields, by country. The admin and the storefront get them from the API. */
const en = {
  name: 'Name',
  company: 'Company',
  street: 'Street address',
  street2: 'Apartment, floor, etc.',
  city: 'City',
  post_town: 'Town or city',
  suburb: 'Suburb',
  area: 'Area',
  county: 'County',
  department: 'Department',
  district: 'District',
  do_si: 'Province or city',
  emirate: 'Emirate',
  island: 'Island',
  oblast: 'Oblast',
  parish: 'Parish',
  prefecture: 'Prefecture',
  province: 'Province',
  state: 'State',
  postal: 'Postal code',
  zip: 'ZIP code',
  pin: 'PIN code',
  eircode: 'Eircode',
};

const de: typeof en = {
  name: 'Name',
  company: 'Firma',
  street: 'Straße und Hausnummer',
  street2: 'Adresszusatz',
  city: 'Ort',
  post_town: 'Ort',
  suburb: 'Ortsteil',
  area: 'Gebiet',
  county: 'County',
  department: 'Departement',
  district: 'Bezirk',
  do_si: 'Provinz oder Stadt',
  emirate: 'Emirat',
  island: 'Insel',
  oblast: 'Oblast',
  parish: 'Gemeinde',
  prefecture: 'Präfektur',
  province: 'Provinz',
  state: 'Bundesstaat',
  postal: 'Postleitzahl',
  zip: 'ZIP-Code',
  pin: 'PIN-Code',
  eircode: 'Eircode',
};

const LABELS = { en, de };
export type LabelLanguage = keyof typeof LABELS;

/** The language of the labels for a locale such as `de-AT`. English if there are none. */
export function labelLanguage(locale = 'en'): LabelLanguage {
  const language = locale.split(/[-_]/)[0]!.toLowerCase();
  return Object.hasOwn(LABELS, language) ? (language as LabelLanguage) : 'en';
}

export const labelOf = (type: string, language: LabelLanguage): string => LABELS[language][type as keyof typeof en];
