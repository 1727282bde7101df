import type { Catalogue } from '../index.ts';

export const newsletters: Catalogue['newsletters'] = {
  title: 'Newsletter',
  new: 'Neuer Newsletter',
};
