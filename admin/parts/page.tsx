/**
 * A page of a section: `<PageFrame title={t('orders.title')} back="/orders" actions={<a …/>}>…</PageFrame>`. Its heading receives focus when
 * the page appears, so that screen readers announce the page (`useHeading`). `Section` is a card with a heading.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { href } from '../shell/router.ts';
import { business } from '../shell/session.ts';
import { t } from '../text/index.ts';

type Props = {
  title: string;
  /** The target of Esc and the back link. */
  back?: string;
  /** Shown next to the heading, such as a status. */
  aside?: ComponentChildren;
  actions?: ComponentChildren;
  /** Secondary actions, shown in a menu on phones. */
  more?: ComponentChildren;
  narrow?: boolean;
  children: ComponentChildren;
};

let isFirst = true;

/** Focuses a page's heading when `key` changes, but not on the first page after loading. */
export function useHeading(key = '') {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst && !document.querySelector('dialog[open]')) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, [key]);
  return heading;
}

export function PageFrame({ title, back, aside, actions, more, narrow = false, children }: Props) {
  const heading = useHeading();
  useEffect(() => {
    document.title = `${title} – ${business.value?.name ?? 'Souk'}`;
  }, [title]);
  return (
    <main id="main" class={narrow ? 'narrow' : ''}>
      <header class="page-head">
        {back && (
          <a href={href(back)} class="back" data-back aria-label={t('parts.back')}>
            ←
          </a>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside}
        {(actions || more) && (
          <div class="actions">
            {more && <MoreActions>{more}</MoreActions>}
            {actions}
          </div>
        )}
      </header>
      {children}
    </main>
  );
}

/** Wide screens show the content of the menu in its place. */
export function MoreActions({ children }: { children: ComponentChildren }) {
  const id = useId();
  return (
    <>
      <button type="button" class="quiet icon narrow-only" popoverTarget={id} aria-label={t('parts.moreActions')}>
        <span aria-hidden="true">⋯</span>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys click the buttons inside. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: closes the menu after a click on one of its buttons. */}
      <div
        id={id}
        popover="auto"
        class="more-actions"
        onClick={({ currentTarget }) => currentTarget.matches(':popover-open') && currentTarget.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

type SectionProps = { title: string; actions?: ComponentChildren; children: ComponentChildren; class?: string };

export function Section({ title, actions, children, class: name = '' }: SectionProps) {
  const id = useId();
  return (
    <section class={`sheet ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
