/** Saved views of a list: named query parameters, kept in this browser. */
import { useState } from 'preact/hooks';
import { href, navigate, query, segments } from '../../shell/router.ts';
import { business } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { Dialog } from '../dialog.tsx';
import { Form, TextField } from '../form/form.tsx';

type View = { name: string; search: string };

const keyOf = (list: string) => `admin.views.${business.value?.id}.${list}`;

function read(list: string): View[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(list)) ?? '[]');
  } catch {
    return [];
  }
}

export function SavedViews({ name: list }: { name: string }) {
  const [views, setViews] = useState(() => read(list));
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const search = query.value.toString();
  const write = (next: View[]) => {
    setViews(next);
    localStorage.setItem(keyOf(list), JSON.stringify(next));
  };
  const add = () => {
    if (!name.trim()) return;
    write([...views.filter((each) => each.name !== name.trim()), { name: name.trim(), search }]);
    setNaming(false);
    setName('');
  };
  const isSaved = views.some((each) => each.search === search);
  return (
    <>
      {views.length > 0 && (
        <ul class="views" aria-label={t('parts.views')}>
          {views.map((view) => (
            <li key={view.name}>
              <a
                href={href(`/${segments.value.join('/')}?${view.search}`)}
                aria-current={view.search === search ? 'true' : undefined}
              >
                {view.name}
              </a>
              {view.search === search && (
                <button
                  type="button"
                  class="icon"
                  aria-label={t('parts.deleteView', { name: view.name })}
                  onClick={() => {
                    write(views.filter((each) => each !== view));
                    navigate(`/${segments.value.join('/')}`, { replace: true });
                  }}
                >
                  ×
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {search && !isSaved && (
        <button type="button" class="quiet" onClick={() => setNaming(true)}>
          {t('parts.saveView')}
        </button>
      )}
      {isNaming && (
        <Dialog title={t('parts.saveView')} close={() => setNaming(false)}>
          <Form submit={add}>
            <TextField label={t('parts.viewName')} value={name} onInput={setName} required />
            <div class="actions end">
              <button type="submit">{t('parts.save')}</button>
            </div>
          </Form>
        </Dialog>
      )}
    </>
  );
}
