/** Shows results while someone types. The server renders them as usual. Without the script, the Enter key submits the form. */
import { parsed, replace, valuesOf } from './live-page.ts';

const TYPING_MS = 150;
let latest = 0;
let typing: ReturnType<typeof setTimeout> | undefined;
/** The page the search began on. It is shown again when the field is empty. */
let searchedFrom: string | null = null;

export function startSearch(): void {
  document.querySelector<HTMLFormElement>('form[data-live="search"]')?.addEventListener('input', (event) => {
    const form = event.currentTarget as HTMLFormElement;
    clearTimeout(typing);
    typing = setTimeout(() => void search(form), TYPING_MS);
  });
}

async function search(form: HTMLFormElement): Promise<void> {
  const turn = ++latest;
  const fields = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  const found = new URL(form.getAttribute('action') ?? '', location.href);
  // On a page of results, an empty field shows all products.
  searchedFrom ??= new URLSearchParams(location.search).has('q') ? found.href : location.href;
  found.search = fields.toString();
  const url = fields.get('q')?.trim() ? found.href : searchedFrom;
  const before = valuesOf(document);
  // Without a connection, the Enter key still submits the form.
  const page = await fetch(url).then(parsed, () => null);
  if (!page || turn !== latest) return;
  replace(page, before);
  history.replaceState(null, '', url);
}
