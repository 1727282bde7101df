import { useLoad } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { href } from '../../../shell/router.ts';
import { business, souk } from '../../../shell/session.ts';
import { locale, t } from '../../../text/index.ts';
import { GROUPS, LANGUAGES } from './kinds.ts';

/** The emails, each with a link to its template. */
export function Texts() {
  const key = `mail-templates ${business.value!.id}`;
  const { data, error, reload } = useLoad(key, (signal) => souk.businesses.listMailTemplates({ signal }));
  const language = LANGUAGES.find((each) => locale().startsWith(each)) ?? 'en';
  const isEdited = (kind: string) => data?.items.some((item) => item.kind === kind && item.customized) ?? false;
  return (
    <Section title={t('mails.texts')}>
      <p class="quiet">{t('mails.textsText')}</p>
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows count={6} />}
      {data &&
        (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
          <div key={group}>
            <h3>{t(`mails.${group}`)}</h3>
            <ul class="mail-kinds">
              {GROUPS[group].map((kind) => (
                <li key={kind}>
                  <a href={href(`/settings/email/${kind}/${language}`)}>{t(`mails.kind_${kind}`)}</a>
                  {isEdited(kind) && <span class="badge">{t('mails.customized')}</span>}
                  <span class="quiet small">{t(`mails.when_${kind}`)}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </Section>
  );
}
