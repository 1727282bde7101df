import { FormFields } from '../forms.tsx';
import type { Site } from '../page.ts';
import { fill, link } from '../site.ts';

type RecoveryProps = { left: number; site: Site; csrf: string };

export const RecoveryCodes = ({ left, site, csrf }: RecoveryProps) => {
  const { security: words } = site.texts;
  return (
    <section aria-labelledby="recovery">
      <h2 id="recovery">{words.recovery}</h2>
      <p>
        {words.recoveryText} {fill(words.recoveryLeft, { count: left })}
      </p>
      <form action={link(site, '/account/security')} method="post">
        <FormFields csrf={csrf} action="new-codes" />
        <button type="submit" class="quiet">
          {words.newCodes}
        </button>
      </form>
    </section>
  );
};

/** New codes, which are shown only once. */
export function SavedCodes({ codes, site }: { codes: string[]; site: Site }) {
  const { security: words } = site.texts;
  return (
    <>
      <p>{words.saveCodesText}</p>
      <ul class="recovery-codes" aria-label={words.recovery}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="actions">
        <a
          class="button quiet"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`}
        >
          {words.download}
        </a>
        <a class="button" href={link(site, '/account/security')}>
          {words.done}
        </a>
      </p>
    </>
  );
}
