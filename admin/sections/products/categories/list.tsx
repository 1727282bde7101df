/** The category tree. Up and down move a category among its siblings; the right arrow nests it under the one above. */
import type { ListedCategory } from '@souk/client';
import { useState } from 'preact/hooks';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { imageOf, RowImage } from '../../../parts/media/thumb.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { EmptyState, SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { isHidden } from '../../../parts/toast.tsx';
import { focusSoon } from '../../../shell/focus.ts';
import { href } from '../../../shell/router.ts';
import { business, souk } from '../../../shell/session.ts';
import { type TextKey, t } from '../../../text/index.ts';

type Move = 'up' | 'down' | 'in' | 'out';
const MOVES: Record<Move, { icon: string; text: TextKey }> = {
  up: { icon: '↑', text: 'categories.moveUp' },
  down: { icon: '↓', text: 'categories.moveDown' },
  out: { icon: '←', text: 'categories.moveOut' },
  in: { icon: '→', text: 'categories.moveIn' },
};

/** The change that a move makes, or null if there is nowhere to move to. */
function changeOf(all: readonly ListedCategory[], category: ListedCategory, move: Move) {
  const { parentId } = category;
  const siblings = all.filter((each) => each.parentId === parentId);
  const at = siblings.indexOf(category);
  if (move === 'up') return at > 0 ? { position: at - 1 } : null;
  if (move === 'down') return at < siblings.length - 1 ? { position: at + 1 } : null;
  if (move === 'in') return at > 0 ? { parentId: siblings[at - 1]!.id } : null;
  const parent = all.find(({ id }) => id === parentId);
  return parent ? { parentId: parent.parentId, position: parent.position + 1 } : null;
}

export default function Categories() {
  const key = `categories ${business.value?.id}`;
  const { data, error, reload } = useLoad(key, (signal) =>
    souk.categories.listTree({ limit: 100 }, { signal }).take(1000),
  );
  const [moved, setMoved] = useState('');
  const move = useAction(async (category: ListedCategory, direction: Move) => {
    const change = changeOf(data!, category, direction);
    if (!change) return;
    await souk.categories.update(category.id, change);
    setMoved(t('categories.moved', { name: category.name }));
    forget('categories');
    await reload();
    const button = `[data-category="${category.id}"] [data-move="${direction}"]`;
    focusSoon(() => document.querySelector<HTMLElement>(`${button}:not(:disabled)`));
  });
  const shown = data?.filter(({ id }) => !isHidden(id));
  const create = (
    <a class="button" href={href('/products/categories/new')}>
      {t('categories.new')}
    </a>
  );
  return (
    <PageFrame title={t('categories.title')} back="/products" actions={create}>
      <Problem error={error ?? move.error} retry={reload} />
      <p class="visually-hidden" role="status">
        {moved}
      </p>
      {!shown && !error && <SkeletonRows count={5} />}
      {shown?.length === 0 && (
        <EmptyState title={t('categories.none')} text={t('categories.noneText')} action={create} />
      )}
      {shown && shown.length > 0 && (
        <ul class="category-tree sheet">
          {shown.map((category) => (
            <li key={category.id} data-category={category.id} style={{ '--level': category.ancestors.length }}>
              <a class="with-image" href={href(`/products/categories/${category.id}`)}>
                <RowImage src={imageOf(category.media ? [category.media] : [])} />
                <span>
                  {category.name}
                  <span class="quiet small">/{category.slug}</span>
                </span>
              </a>
              <span class="category-moves">
                {(Object.keys(MOVES) as Move[]).map((direction) => (
                  <button
                    key={direction}
                    type="button"
                    class="icon"
                    data-move={direction}
                    disabled={move.isBusy || changeOf(shown, category, direction) === null}
                    title={t(MOVES[direction].text)}
                    aria-label={`${t(MOVES[direction].text)}: ${category.name}`}
                    onClick={() => move.run(category, direction)}
                  >
                    {MOVES[direction].icon}
                  </button>
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </PageFrame>
  );
}
