export const newsletters = {
  title: 'Newsletters',
  new: 'New newsletter',
};
