/** The HTML document of a page. */
import type { ComponentChildren } from 'preact';
import { SiteData, safeJson } from './island.tsx';
import type { Assets } from './module.ts';
import type { Head, Site } from './page.ts';
import { absolute } from './site.ts';
import { themeFile } from './theme.ts';

type DocumentProps = { site: Site; head: Head; path: string; assets: Assets; children: ComponentChildren };

export function Document({ site, head, path, assets, children }: DocumentProps) {
  const { theme = {} } = site.config;
  const { mode = 'AUTO' } = theme;
  return (
    <html
      lang={site.locale.replace('_', '-')}
      dir={isRightToLeft(site.locale) ? 'rtl' : undefined}
      data-theme={mode === 'AUTO' ? undefined : mode.toLowerCase()}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={mode === 'AUTO' ? 'light dark' : mode.toLowerCase()} />
        <title>{head.title === site.name ? head.title : `${head.title} – ${site.name}`}</title>
        <Meta site={site} head={head} path={path} />
        {assets.styles.map((file) => (
          <link key={file} rel="stylesheet" href={`/assets/${file}`} />
        ))}
        {site.config.theme && <link rel="stylesheet" href={`${site.base}/${themeFile(theme)}`} />}
        {assets.preloads.map((file) => (
          <link key={file} rel="modulepreload" href={`/assets/${file}`} />
        ))}
        <link rel="icon" href={`${site.base}/icon.svg`} type="image/svg+xml" />
        {assets.script !== null && <script type="module" src={`/assets/${assets.script}`} />}
        {assets.reloads && <script type="module" src="/pages/reload.js" />}
      </head>
      <body>
        <SiteData site={site} />
        {children}
      </body>
    </html>
  );
}

/** For search engines and link previews. */
function Meta({ site, head, path }: { site: Site; head: Head; path: string }) {
  const url = absolute(site, head.canonical ?? path, head.locale);
  const image = head.image ?? site.config.image?.url ?? site.business.configs.brand?.logo?.url;
  const { description } = head;
  const isHidden = head.noindex || site.preview;
  return (
    <>
      {description && <meta name="description" content={description} />}
      {isHidden && <meta name="robots" content="noindex" />}
      {!isHidden && <link rel="canonical" href={url} />}
      {!isHidden && !head.locale && site.locales.length > 1 && <Alternates site={site} head={head} path={path} />}
      <meta property="og:site_name" content={site.name} />
      <meta property="og:title" content={head.title} />
      <meta property="og:type" content={head.type ?? 'website'} />
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={site.locale.replace('-', '_')} />
      {description && <meta property="og:description" content={description} />}
      {image && <meta property="og:image" content={new URL(image, site.origin).href} />}
      <meta name="twitter:card" content={head.image ? 'summary_large_image' : 'summary'} />
      {head.feeds?.map((feed) => (
        <link
          key={feed.path}
          rel="alternate"
          type="application/atom+xml"
          title={feed.title}
          href={absolute(site, feed.path)}
        />
      ))}
      {head.preload && (
        <link
          rel="preload"
          as="image"
          href={head.preload.src}
          fetchpriority="high"
          // Preact's types lack these two.
          {...{ imagesrcset: head.preload.srcset, imagesizes: head.preload.sizes }}
        />
      )}
      {head.jsonLd?.map((data, i) => (
        <script key={i} type="application/ld+json" dangerouslySetInnerHTML={{ __html: safeJson(data) }} />
      ))}
    </>
  );
}

const Alternates = ({ site, head, path }: { site: Site; head: Head; path: string }) => (
  <>
    {[...site.locales, 'x-default'].map((name) => {
      const locale = name === 'x-default' ? site.locales[0]! : name;
      const there = head.alternates?.[locale] ?? head.canonical ?? path;
      return <link key={name} rel="alternate" hreflang={name.replace('_', '-')} href={absolute(site, there, locale)} />;
    })}
  </>
);

const isRightToLeft = (locale: string) => /^(ar|he|fa|ur|yi|ps|sd|ug|dv)\b/.test(locale);
