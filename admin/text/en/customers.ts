export const customers = {
  title: 'Customers',
  new: 'New customer',
};
