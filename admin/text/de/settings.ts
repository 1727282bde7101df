import type { Catalogue } from '../index.ts';

export const settings: Catalogue['settings'] = {
  title: 'Einstellungen',
};
