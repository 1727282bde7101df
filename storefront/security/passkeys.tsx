import type { Factors } from '@souk/client';
import { FormFields } from '../forms.tsx';
import type { Site } from '../page.ts';
import { date, fill, link } from '../site.ts';

type PasskeysProps = { passkeys: Factors['passkeys']; site: Site; csrf: string };

export function Passkeys({ passkeys, site, csrf }: PasskeysProps) {
  const { security: words } = site.texts;
  const action = link(site, '/account/security');
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">{words.passkeys}</h2>
      <p>{words.passkeysText}</p>
      {passkeys.length === 0 && <p class="quiet">{words.noPasskeys}</p>}
      <ul class="factors">
        {passkeys.map(({ id, name, host, createdAt, lastUsedAt }) => (
          <li key={id}>
            <div>
              <strong>{name}</strong>
              <span class="quiet small">
                {[
                  fill(words.onHost, { host }),
                  fill(words.added, { date: date(createdAt, site) }),
                  lastUsedAt === null ? words.neverUsed : fill(words.lastUsed, { date: date(lastUsedAt, site) }),
                ].join(' · ')}
              </span>
            </div>
            <div class="actions">
              <details>
                <summary aria-label={fill(words.renameOne, { name })}>{words.rename}</summary>
                <form action={action} method="post">
                  <FormFields csrf={csrf} action="rename-passkey" />
                  <input type="hidden" name="id" value={id} />
                  <div class="field">
                    <label for={`name-${id}`}>{words.passkeyName}</label>
                    <input id={`name-${id}`} name="name" value={name} required maxLength={100} />
                  </div>
                  <button type="submit">{words.save}</button>
                </form>
              </details>
              <form action={action} method="post">
                <FormFields csrf={csrf} action="remove-passkey" />
                <input type="hidden" name="id" value={id} />
                <button type="submit" class="quiet" aria-label={fill(words.removeOne, { name })}>
                  {words.remove}
                </button>
              </form>
            </div>
          </li>
        ))}
      </ul>
      <form action={action} method="post">
        <FormFields csrf={csrf} action="add-passkey" />
        <button type="submit" class="quiet">
          {words.addPasskey}
        </button>
      </form>
    </section>
  );
}
