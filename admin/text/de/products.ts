import type { Catalogue } from '../index.ts';

export const products: Catalogue['products'] = {
  title: 'Produkte',
  new: 'Neues Produkt',
  table: 'Als Tabelle bearbeiten',
};
