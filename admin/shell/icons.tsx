/** Line icons on a 24-pixel grid, in the text color. */
const PATHS: Record<string, string> = {
  home: 'M4 11.5 12 5l8 6.5M6.5 10v9h11v-9M10 19v-5h4v5',
  orders: 'M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9 8.5h6M9 12.5h6',
  reports: 'M4 4v16h16M8 16v-4M12 16V8M16 16v-6',
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
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M10 5h8M6 19h8M14 5l-4 14',
  heading: 'M6 5v14M18 5v14M6 12h12',
  bulletList: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  orderedList: 'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M4 14.5c0-1.5 3-1.5 3 0 0 1-3 2-3 3.5h3',
  quote: 'M10 7H5v5h4c0 3-1 4.5-3.5 5M19 7h-5v5h4c0 3-1 4.5-3.5 5',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  image: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 17M15.5 9.5h.01',
  insert: 'M12 5v14M5 12h14',
  gallery: 'M3 7h12v10H3zM18 8h3v10H8v-1M3 15l3.5-3 3 2.5L12 12l3 3',
  button: 'M4 8h16v8H4zM8.5 12h7',
  embed: 'M4 5h16v14H4zM10 9.5v5l4.5-2.5z',
  columns2: 'M4 5h7v14H4zM13 5h7v14h-7z',
  columns3: 'M3.5 5h4.5v14H3.5zM9.75 5h4.5v14h-4.5zM16 5h4.5v14H16z',
  divider: 'M4 12h16M7 6h10M7 18h10',
  paywall: 'M4 6h16M4 18h16M4 12h4M16 12h4M10.5 11.5v-1a1.5 1.5 0 0 1 3 0v1M9.5 11.5h5v3h-5z',
  undo: 'M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4',
  redo: 'M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h4',
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
