export const orders = {
  title: 'Orders',
  new: 'New order',
};
