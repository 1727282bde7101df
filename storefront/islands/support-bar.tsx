import { useEffect, useState } from 'preact/hooks';
import { useSite } from '../island.tsx';
import { fill, link } from '../site.ts';

type Shown = { name: string; expiresAt: number };
type SupportProps = { support: Shown | null };

function readCookie(): Shown | null {
  const [, expiresAt, name] = /(?:^|; )souk_support=(\d+)\.([^;]*)/.exec(document.cookie) ?? [];
  const isOver = Number(expiresAt ?? 0) * 1000 <= Date.now();
  return isOver ? null : { name: decodeURIComponent(name!), expiresAt: Number(expiresAt) };
}

/** The notice while an admin views the shop as a customer. Cached pages don't contain it, so the script reads it from a cookie. */
export function SupportBar({ support: given }: SupportProps) {
  const site = useSite();
  const { support: words } = site.texts;
  const [support, setSupport] = useState(given);
  useEffect(() => {
    const read = () => setSupport(readCookie());
    read();
    // A page from the back/forward cache may still show the notice after support access has ended.
    addEventListener('pageshow', read);
    return () => removeEventListener('pageshow', read);
  }, []);
  if (!support) return null;
  const time = new Intl.DateTimeFormat(site.locale, { timeStyle: 'short' }).format(support.expiresAt * 1000);
  return (
    <section class="support-bar" aria-label={words.title}>
      <p>{fill(words.bar, { name: support.name, time })}</p>
      <form action={link(site, '/login/support')} method="post">
        <button type="submit" name="action" value="end" class="quiet">
          {words.end}
        </button>
      </form>
    </section>
  );
}
