import type { Catalogue } from '../index.ts';

export const customers: Catalogue['customers'] = {
  title: 'Kundschaft',
  new: 'Neue Kundin, neuer Kunde',
};
