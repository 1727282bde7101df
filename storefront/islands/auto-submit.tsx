import { useEffect, useRef } from 'preact/hooks';

/** Submits the form around it when a choice changes, on screens where the filters stay visible. */
export function AutoSubmit() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = place.current?.closest('form');
    const onChange = ({ target }: Event) => {
      const isSort = (target as Element).matches('select');
      if (isSort || matchMedia('(min-width: 60rem)').matches) form?.requestSubmit();
    };
    form?.addEventListener('change', onChange);
    return () => form?.removeEventListener('change', onChange);
  }, []);
  return <span ref={place} hidden />;
}
