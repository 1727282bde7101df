/** Line drawings on a grid of 24, in the colour of the text. */
const PATHS: Record<string, string> = {
  home: 'M4 11.5 12 5l8 6.5M6.5 10v9h11v-9M10 19v-5h4v5',
  orders: 'M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9 8.5h6M9 12.5h6',
  products: 'M4 8l8-4.5L20 8v8l-8 4.5L4 16zM4 8l8 4.5L20 8M12 12.5v8',
  promo: 'M4 12V5h7l9 9-7 7zM8.5 9.5h.01',
  customers:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 5a3 3 0 0 1 0 6M17.5 14.5c2 .8 3.5 2.8 3.5 5.5',
  content: 'M5 4h9l5 5v11H5zM14 4v5h5M8.5 13h7M8.5 16.5h5',
  newsletters: 'M4 6h16v12H4zM4 7l8 6 8-6',
  media: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 17M15.5 9.5h.01',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20.5c0-4 3-6.5 7-6.5s7 2.5 7 6.5',
  search: 'M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM15.5 15.5 20 20',
  menu: 'M4 7h16M4 12h16M4 17h16',
  keys: 'M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M8 14.5h8',
};

export const Icon = ({ name }: { name: string }) => (
  <svg class="icon-drawing" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path
      d={PATHS[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);
