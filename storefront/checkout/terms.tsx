/** The legal part of the checkout: terms, right of withdrawal, and the button. */
import { Check, type Problems } from '../forms.tsx';
import type { Site } from '../page.ts';
import { link, localText, money } from '../site.ts';
import type { Checkout } from './load.ts';

export const hasTerms = (site: Pick<Site, 'config' | 'locale' | 'locales'>) =>
  localText(site.config.legal?.terms, site as Site) !== '';

const LEGAL = ['terms', 'privacy', 'withdrawal'] as const;

export function Terms({ site, problems }: { site: Site; problems: Problems }) {
  const { texts, config } = site;
  const { checkout: words, legal } = texts;
  const pages = LEGAL.filter((name) => localText(config.legal?.[name], site) !== '');
  return (
    <div class="terms">
      {hasTerms(site) && (
        <Check name="terms" problem={problems.terms}>
          {words.agree}
        </Check>
      )}
      {pages.includes('withdrawal') && <p class="small">{words.withdrawal}</p>}
      {pages.length > 0 && (
        <p class="small legal-links">
          {pages.map((name) => (
            <a key={name} href={link(site, `/pages/${name}`)} target="_blank" rel="noopener">
              {legal[name]}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

/** By law, the button says that the order costs money. */
export function OrderButton({ site, checkout: { quote } }: { site: Site; checkout: Checkout }) {
  const { checkout: words } = site.texts;
  const total = quote?.display.total ?? 0;
  const text = total === 0 ? words.placeFree : words.place.replace('{amount}', money(total, quote!.currency, site));
  return (
    <button type="submit" form="order" name="action" value="place" class="wide">
      {text}
    </button>
  );
}
