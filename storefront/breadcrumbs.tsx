import { useSite } from './island.tsx';
import type { Crumb } from './seo.ts';
import { link } from './site.ts';

export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  const site = useSite();
  return (
    <nav class="breadcrumbs" aria-label={site.texts.site.breadcrumbs}>
      <ol>
        {crumbs.map(({ name, path }, i) => (
          <li key={path}>
            {i === crumbs.length - 1 ? <span aria-current="page">{name}</span> : <a href={link(site, path)}>{name}</a>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
