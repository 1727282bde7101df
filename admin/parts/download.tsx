/** A button that saves a streamed response as a file: `<Download label="CSV" load={() => souk.imports.exportRecords(…)} />`. */
import { useAction } from './load.ts';
import { Problem } from './problem.tsx';

/** `name`: the accessible name, if several buttons have the same label. */
type Props = { label: string; name?: string; load: () => Promise<Response>; class?: string };

export function Download({ label, name, load, class: look = 'quiet' }: Props) {
  const { run, isBusy, error } = useAction(async () => {
    const response = await load();
    const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export';
    const url = URL.createObjectURL(await response.blob());
    Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
  return (
    <>
      <button
        type="button"
        class={look}
        aria-label={name}
        disabled={isBusy}
        aria-busy={isBusy || undefined}
        onClick={() => run()}
      >
        {label}
      </button>
      <Problem error={error} />
    </>
  );
}
