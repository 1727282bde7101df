import { useEffect, useRef } from 'preact/hooks';
import { href } from '../shell/router.ts';

type Props = { label: string; current: string; tabs: readonly (readonly [name: string, path: string, text: string])[] };

/** Pages that belong together. On a phone, the row scrolls until the current one is visible. */
export function Tabs({ label, current, tabs }: Props) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const [nav, link] = [row.current, row.current?.querySelector<HTMLElement>('[aria-current]')];
    if (nav && link) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.clientWidth) / 2;
  }, [current]);
  return (
    <nav class="tabs" aria-label={label} ref={row}>
      {tabs.map(([name, path, text]) => (
        <a key={name} href={href(path)} aria-current={name === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
