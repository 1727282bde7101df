/** How a page looks in search results: title and text, with a preview. Rendered when opened. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { business } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import type { Bound } from '../form/field-frame.tsx';
import { optional, TextField } from '../form/form.tsx';

export type SeoForm = { title: string; description: string };
export const NO_SEO: SeoForm = { title: '', description: '' };

export const toSeoForm = (seo: Partial<SeoForm> | undefined): SeoForm => ({ ...NO_SEO, ...seo });

/** Leaves out empty values. Null if both are empty. */
export function toSeo({ title, description }: SeoForm): { title?: string; description?: string } | null {
  const seo = {
    ...(title.trim() ? { title: title.trim() } : {}),
    ...(description.trim() ? { description: description.trim() } : {}),
  };
  return Object.keys(seo).length > 0 ? seo : null;
}

const TITLE = 60;
const TEXT = 155;

type Props = Bound<SeoForm> & {
  /** Shown in place of empty values. */
  name: string;
  text: string;
  /** Such as `products › linen-shirt`. */
  path: readonly string[];
  problemOf: (field: string) => string | undefined;
};

export function SeoFields({ value, onInput, name, text, path, problemOf }: Props) {
  const title = value.title || `${name} – ${business.value?.name ?? ''}`;
  const shown = value.description || text;
  return (
    <>
      <figure class="search-result">
        <figcaption class="visually-hidden">{t('seo.preview')}</figcaption>
        <p class="search-path">{[business.value?.slug ?? '', ...path].filter(Boolean).join(' › ')}</p>
        <p class="search-title">{cut(title, TITLE)}</p>
        <p class="search-text">{shown ? cut(shown, TEXT) : t('seo.noText')}</p>
      </figure>
      <TextField
        label={optional(t('seo.title'))}
        hint={t('seo.titleHint', { count: value.title.length, max: TITLE })}
        value={value.title}
        onInput={(each) => onInput({ ...value, title: each })}
        problem={problemOf('seo.title')}
      />
      <TextField
        label={optional(t('seo.text'))}
        hint={t('seo.textHint', { count: value.description.length, max: TEXT })}
        multiline
        rows={3}
        value={value.description}
        onInput={(each) =>
          onInput({
            ...value,
            description: each
              .split('\n')
              .map((line) => line.trim())
              .join(' '),
          })
        }
        problem={problemOf('seo.description')}
      />
    </>
  );
}

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/** A section that renders its fields when it is opened, because few products need them. */
export function CollapsibleSection(props: {
  title: string;
  hint?: string | undefined;
  isFilled?: boolean;
  hasProblem?: boolean;
  children: () => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const open = isOpen || Boolean(props.hasProblem);
  return (
    <section class="sheet folded">
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <h2>{props.title}</h2>
          <span class="quiet small">{props.isFilled ? t('seo.filled') : props.hint}</span>
        </summary>
        {open && <div class="folded-fields">{props.children()}</div>}
      </details>
    </section>
  );
}
