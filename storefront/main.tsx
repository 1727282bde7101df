/** The script of the storefront. Pages work without it. */
import './style.css';
import { startIslands } from './island.tsx';
import { islands } from './islands/index.ts';
import { startLive } from './live/live.ts';
import { startSearch } from './live/live-search.ts';
import { startReference } from './reference.ts';

startReference();
startIslands(islands);
startLive();
startSearch();

/** The first field with an error. */
document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();

/** The market switch needs no button. */
document.querySelector('.market select')?.addEventListener('change', (event) => {
  (event.currentTarget as HTMLSelectElement).form?.requestSubmit();
});
