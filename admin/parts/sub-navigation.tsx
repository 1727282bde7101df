/**
 * Links between the pages of a section, next to the page or above it on small screens. Each has a URL, a label, and a
 * flag for the current page.
 */
type Link = [href: string, text: string, isHere: boolean];

export const SubNavigation = ({ label, links }: { label: string; links: Link[] }) => (
  <nav class="sub-navigation" aria-label={label}>
    <ul>
      {links.map(([href, text, isHere]) => (
        <li key={href}>
          <a href={href} aria-current={isHere ? 'page' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
