/** A button that saves a streamed response as a file: `<Download label="CSV" load={() => souk.imports.exportRecords(…)} />`. */
import { useAction } from './load.ts';
import { Problem } from './problem.tsx';

type Props = { label: string; load: () => Promise<Response>; class?: string };

export function Download({ label, load, class: name = 'quiet' }: Props) {
  const { run, isBusy, error } = useAction(async () => {
    const response = await load();
    const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export';
    const url = URL.createObjectURL(await response.blob());
    Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
  return (
    <>
      <button type="button" class={name} disabled={isBusy} aria-busy={isBusy || undefined} onClick={() => run()}>
        {label}
      </button>
      <Problem error={error} />
    </>
  );
}
