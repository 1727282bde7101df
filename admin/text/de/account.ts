import type { Catalogue } from '../index.ts';

export const account: Catalogue['account'] = {
  title: 'Konto',
};
