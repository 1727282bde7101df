/** Links between the pages of one room: beside them where there is room, else above. Of each: address, text, whether it is this one. */
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
