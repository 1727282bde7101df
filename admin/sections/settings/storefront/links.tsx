/** Lists of links: navigation, footer, social media. */
import { TextField } from '../../../parts/form/form.tsx';
import { ListEditor } from '../../../parts/form/list-editor.tsx';
import { LocalizedField } from '../../../parts/form/localized.tsx';
import { t } from '../../../text/index.ts';
import type { Link, Values } from './values.ts';

type ListProps<T> = {
  items: T[];
  onInput: (items: T[]) => void;
  problem: (index: number, field: string) => string | undefined;
};

const nameOf = ({ label, url }: Link) => (typeof label === 'string' ? label : Object.values(label)[0]) || url;

export const LinkList = ({ items, onInput, problem, locale }: ListProps<Link> & { locale: string }) => (
  <ListEditor
    items={items}
    onInput={onInput}
    name={(link) => nameOf(link) || t('storefront.link')}
    add={{ label: t('storefront.addLink'), make: () => ({ label: '', url: '' }) }}
  >
    {(link, set, i) => (
      <div class="fields">
        <LocalizedField
          label={t('storefront.label')}
          locale={locale}
          value={link.label}
          onInput={(label) => set({ ...link, label })}
          field={({ lang: _, ...field }) => <TextField {...field} problem={problem(i, 'label')} />}
        />
        <TextField
          label={t('storefront.url')}
          hint={t('storefront.urlHint')}
          value={link.url}
          onInput={(url) => set({ ...link, url })}
          problem={problem(i, 'url')}
        />
      </div>
    )}
  </ListEditor>
);

export const SocialList = ({ items, onInput, problem }: ListProps<Values['social'][number]>) => (
  <ListEditor
    items={items}
    onInput={onInput}
    name={({ name }) => name || t('storefront.link')}
    add={{ label: t('storefront.addProfile'), make: () => ({ name: '', url: 'https://' }) }}
  >
    {(profile, set, i) => (
      <div class="fields">
        <TextField
          label={t('storefront.network')}
          list={['Instagram', 'Facebook', 'TikTok', 'YouTube', 'Pinterest', 'Mastodon', 'Bluesky', 'LinkedIn']}
          value={profile.name}
          onInput={(name) => set({ ...profile, name })}
          problem={problem(i, 'name')}
        />
        <TextField
          label={t('storefront.url')}
          value={profile.url}
          onInput={(url) => set({ ...profile, url })}
          problem={problem(i, 'url')}
        />
      </div>
    )}
  </ListEditor>
);
