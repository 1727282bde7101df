import { useEffect, useRef } from 'preact/hooks';

/** Submits the form around it when a choice changes: always for the sort order, and for filters only where they stay visible. */
export function AutoSubmit() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = place.current?.closest('form');
    const onChange = ({ target }: Event) => {
      const field = target as HTMLInputElement | HTMLSelectElement;
      if (!form || field.form !== form) return;
      if (field.localName === 'select' || matchMedia('(min-width: 60rem)').matches) form.requestSubmit();
    };
    // The field for the sort order is outside the form.
    document.addEventListener('change', onChange);
    return () => document.removeEventListener('change', onChange);
  }, []);
  return <span ref={place} hidden />;
}
