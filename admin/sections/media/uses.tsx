import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { findNames } from '../../parts/records/sources.ts';
import { href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

/** The names of the records that use the file. */
export function Uses({ id }: { id: string }) {
  const uses = useLoad(`media uses ${id}`, async (signal) => {
    const { entities } = await souk.media.listUses(id, { signal });
    return findNames(entities, signal);
  });
  return (
    <Section title={t('media.uses')}>
      <Problem error={uses.error} retry={uses.reload} />
      {uses.data?.length === 0 && <p class="quiet">{t('media.unused')}</p>}
      <ul>
        {uses.data?.map(({ id: user, name, path }) => (
          <li key={user}>{path ? <a href={href(path)}>{name}</a> : name}</li>
        ))}
      </ul>
    </Section>
  );
}
