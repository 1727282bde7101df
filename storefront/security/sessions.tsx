import type { Session } from '@souk/client';
import { CurrentPassword, Field, FormFields, type Problems } from '../forms.tsx';
import type { Site } from '../page.ts';
import { date, fill, link } from '../site.ts';

type SessionsProps = { sessions: Session[]; site: Site; csrf: string };

export function Sessions({ sessions, site, csrf }: SessionsProps) {
  const { security: words, account } = site.texts;
  const nameOf = ({ provider, device }: Session) =>
    provider === 'SUPPORT' ? words.supportSession : (device ?? words.unknownDevice);
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{account.sessions}</h2>
      <ul class="factors">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{nameOf(session)}</strong>
              <span class="quiet small">
                {[
                  session.address,
                  fill(words.loggedIn, { date: date(session.createdAt, site) }),
                  fill(words.lastUsed, { date: date(session.lastUsedAt, site) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </div>
            {session.current ? (
              <span class="state">{account.thisBrowser}</span>
            ) : (
              <form action={link(site, '/account/security')} method="post">
                <FormFields csrf={csrf} action="end" />
                <input type="hidden" name="id" value={session.id} />
                <button type="submit" class="quiet" aria-label={fill(words.endOne, { name: nameOf(session) })}>
                  {account.endSession}
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type PasswordProps = { hasPassword: boolean; problems: Problems; site: Site; csrf: string };

export function Password({ hasPassword, problems, site, csrf }: PasswordProps) {
  const { security: words, account } = site.texts;
  const action = link(site, '/account/security');
  return (
    <section aria-labelledby="password">
      <h2 id="password">{account.password}</h2>
      {hasPassword ? (
        <form action={action} method="post">
          <FormFields csrf={csrf} action="password" />
          <CurrentPassword name="oldPassword" label={account.oldPassword} problem={problems.oldPassword} />
          <Field
            name="newPassword"
            label={account.newPassword}
            type="password"
            autocomplete="new-password"
            required
            hint={account.hint}
            problem={problems.newPassword}
          />
          <button type="submit" class="quiet">
            {account.changePassword}
          </button>
        </form>
      ) : (
        <form action={action} method="post">
          <FormFields csrf={csrf} action="set-password" />
          <p>{words.noPassword}</p>
          <button type="submit" class="quiet">
            {words.setPassword}
          </button>
        </form>
      )}
    </section>
  );
}
