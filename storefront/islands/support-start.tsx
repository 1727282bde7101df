import { useEffect, useState } from 'preact/hooks';
import { FormFields } from '../forms.tsx';
import { useSite } from '../island.tsx';
import { link } from '../site.ts';

/** The admin opens this page with the token in the fragment, which no server sees. */
export function SupportStart({ csrf }: { csrf: string }) {
  const site = useSite();
  const { support: words } = site.texts;
  const [token, setToken] = useState('');
  useEffect(() => {
    setToken(new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
    history.replaceState(null, '', location.pathname);
  }, []);
  if (!token) return <p>{words.missing}</p>;
  return (
    <form action={link(site, '/login/support')} method="post">
      <p>{words.text}</p>
      <FormFields csrf={csrf} action="begin" />
      <input type="hidden" name="token" value={token} />
      <button type="submit">{words.start}</button>
    </form>
  );
}
