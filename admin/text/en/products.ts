export const products = {
  title: 'Products',
  new: 'New product',
  table: 'Edit as table',
};
