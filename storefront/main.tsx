/** The script of the storefront. Pages work without it. */
import './style.css';
import { startIslands } from './island.tsx';
import { islands } from './islands/index.ts';

startIslands(islands);

/** The market switch needs no button. */
document.querySelector('.market select')?.addEventListener('change', (event) => {
  (event.currentTarget as HTMLSelectElement).form?.requestSubmit();
});
