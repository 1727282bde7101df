import type { ListedCategory } from '@souk/client';
import type { Site, Visit } from '../page.ts';
import { Picture } from '../picture.tsx';
import { link } from '../site.ts';
import { inLocale } from './query.ts';

const MAX_LINKS = 100;

export const categoryPath = (slug: string) => `/categories/${slug}`;

/** The subcategories of a category, or the top-level categories. */
export const listChildren = ({ site, souk }: Pick<Visit, 'site' | 'souk'>, parentId = 'root') =>
  souk.categories.listTree({ parentId, limit: MAX_LINKS, ...inLocale(site) }).take(MAX_LINKS);

type Props = { categories: ListedCategory[]; label: string; site: Site };

export function CategoryLinks({ categories, label, site }: Props) {
  if (categories.length === 0) return null;
  return (
    <nav class="subcategories" aria-label={label}>
      <ul>
        {categories.map(({ id, name, slug, media }) => (
          <li key={id}>
            <a href={link(site, categoryPath(slug))}>
              {media && <Picture media={media} alt="" sizes="3rem" width={48} />}
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
