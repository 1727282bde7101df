import type { Catalogue } from '../index.ts';

export const promoCodes: Catalogue['promoCodes'] = {
  title: 'Gutscheincodes',
  new: 'Neuer Gutscheincode',
};
