import { useEffect, useRef } from 'preact/hooks';

/** Fills in the code from the link in the email. It is in the fragment, which no server sees; nothing is sent until the button is pressed. */
export function CodeLink() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const read = () => {
      const code = new URLSearchParams(location.hash.slice(1)).get('code');
      const field = place.current?.closest('form')?.elements.namedItem('code') as HTMLInputElement | null;
      if (code && field) field.value = code;
      if (code) history.replaceState(null, '', location.pathname + location.search);
    };
    read();
    // The link may be opened in the tab that already shows this page.
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return <span ref={place} hidden />;
}
