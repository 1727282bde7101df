import type { Catalogue } from '../index.ts';

export const orders: Catalogue['orders'] = {
  title: 'Bestellungen',
  new: 'Neue Bestellung',
};
