import type { Factors, TotpSetup } from '@souk/client';
import { renderSVG } from 'uqr';
import { Field, FormFields, type Problems } from '../forms.tsx';
import type { Site } from '../page.ts';
import { date, fill, link } from '../site.ts';

type AppProps = { totp: Factors['totp']; site: Site; csrf: string };

export function AuthenticatorApp({ totp, site, csrf }: AppProps) {
  const { security: words } = site.texts;
  return (
    <section aria-labelledby="app">
      <h2 id="app">{words.app}</h2>
      <p>{words.appText}</p>
      {totp && <p class="state">{fill(words.appOn, { date: date(totp.confirmedAt, site) })}</p>}
      <form action={link(site, '/account/security')} method="post">
        <FormFields csrf={csrf} action={totp ? 'remove-app' : 'add-app'} />
        <button type="submit" class="quiet">
          {totp ? words.removeApp : words.addApp}
        </button>
      </form>
    </section>
  );
}

type SetupProps = { setup: TotpSetup; problems: Problems; site: Site; csrf: string };

/** The form contains the secret, because the service shows it only once. */
export function AppSetup({ setup: { secret, uri }, problems, site, csrf }: SetupProps) {
  const { security: words, signIn } = site.texts;
  const action = link(site, '/account/security');
  return (
    <>
      <p>{words.scan}</p>
      <img
        class="qr"
        src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 4, pixelSize: 1 }))}`}
        width="200"
        height="200"
        alt={words.qr}
      />
      <p>
        {words.key}: <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <form action={action} method="post">
        <FormFields csrf={csrf} action="confirm-app" />
        <input type="hidden" name="secret" value={secret} />
        <input type="hidden" name="uri" value={uri} />
        <Field
          name="code"
          label={words.firstCode}
          inputMode="numeric"
          autocomplete="one-time-code"
          required
          problem={problems.code ?? problems['']}
        />
        <p class="actions">
          <button type="submit">{words.confirm}</button>
          <a href={action} class="button quiet">
            {signIn.cancel}
          </a>
        </p>
      </form>
    </>
  );
}
