import type { Catalogue } from '../index.ts';

export const content: Catalogue['content'] = {
  title: 'Inhalte',
  newCollection: 'Neue Sammlung',
};
