import type { Catalogue } from '../index.ts';

export const entrance: Catalogue['entrance'] = {
  title: 'Souk',
};
