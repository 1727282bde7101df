import type { Catalogue } from '../index.ts';

export const home: Catalogue['home'] = {
  title: 'Start',
};
