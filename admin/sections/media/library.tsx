import { useState } from 'preact/hooks';
import { type Kind, LibraryBar, LibraryGrid, useLibrary } from '../../parts/media/library.tsx';
import { altOf, isImage, nameOf, Thumb } from '../../parts/media/thumb.tsx';
import { DropZone, useUploads } from '../../parts/media/uploads.tsx';
import { PageFrame } from '../../parts/page.tsx';
import { toast } from '../../parts/toast.tsx';
import { href, query, setQuery } from '../../shell/router.ts';
import { can } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export default function Library() {
  const text = query.value.get('q') ?? '';
  const type = (query.value.get('type') ?? '') as Kind | '';
  const [typed, setTyped] = useState(text);
  const library = useLibrary({ text, type });
  const uploads = useUploads((item) => {
    library.put(item);
    toast(t('media.uploaded', { name: nameOf(item) }));
  });
  const grid = (
    <LibraryGrid library={library} isFiltered={text !== '' || type !== ''}>
      {(item) => (
        <a class="media-card" href={href(`/media/${item.id}`)}>
          <Thumb media={item} />
          <span class="name" title={nameOf(item)}>
            {nameOf(item)}
          </span>
          {isImage(item) && !altOf(item) && <span class="badge wait">{t('media.noAlt')}</span>}
        </a>
      )}
    </LibraryGrid>
  );
  return (
    <PageFrame title={t('media.title')}>
      <LibraryBar
        text={typed}
        setText={(next) => {
          setTyped(next);
          setQuery({ q: next.trim() });
        }}
        type={type}
        setType={(next) => setQuery({ type: next })}
      />
      {can('MEDIA_WRITE') ? (
        <DropZone wholePage uploads={uploads}>
          {grid}
        </DropZone>
      ) : (
        grid
      )}
    </PageFrame>
  );
}
