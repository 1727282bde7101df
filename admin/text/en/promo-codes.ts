export const promoCodes = {
  title: 'Promo codes',
  new: 'New promo code',
};
