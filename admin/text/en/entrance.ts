export const entrance = {
  title: 'Souk',
};
