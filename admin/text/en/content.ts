export const content = {
  title: 'Content',
  newCollection: 'New collection',
};
