import { type Factors, isSoukError, type PasskeyOptions, type Session, type TotpSetup } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { AccountFrame, isLoggedIn, toLogin } from '../../account/frame.tsx';
import { FormProblem, type Problems } from '../../forms.tsx';
import { Island } from '../../island.tsx';
import { PasskeyButton } from '../../islands/passkey-button.tsx';
import { type Action, type Loaded, page, type Visit } from '../../page.ts';
import { AppSetup, AuthenticatorApp } from '../../security/authenticator-app.tsx';
import { Passkeys } from '../../security/passkeys.tsx';
import { RecoveryCodes, SavedCodes } from '../../security/recovery-codes.tsx';
import { Password, Sessions } from '../../security/sessions.tsx';
import { Confirm, type Pending, withStepUp } from '../../security/step-up.tsx';
import { credentialIn, problemsOf, requestingSite } from '../../sign-in/log-in.ts';
import { fill, link } from '../../site.ts';

/** One step of a change, in place of the page. */
type Step =
  | { kind: 'confirm'; pending: Pending }
  | { kind: 'app'; setup: TotpSetup }
  | { kind: 'passkey'; requested: PasskeyOptions }
  | { kind: 'codes'; codes: string[] };
type Overview = { sessions: Session[]; factors: Factors };
type Data = { step: Step | Overview; problems: Problems; notice: string };

/** For logged-in customers. Errors are shown on the page. */
const own =
  (action: Action<Data>): Action<Data> =>
  async (visit, form) => {
    if (!isLoggedIn(visit)) return toLogin();
    try {
      return await action(visit, form);
    } catch (error) {
      if (isSoukError(error, 'STEP_UP_REQUIRED', 'UNAUTHENTICATED')) throw error;
      return show(visit, { problems: problemsOf(error, visit) });
    }
  };

const confirmed = (action: Action<Data>) =>
  withStepUp(own(action), async (visit, pending) =>
    showStep(visit, { kind: 'confirm', pending }, Object.keys(pending.problems).length > 0 ? 422 : 200),
  );

/** Recovery codes are created with the first factor. */
const added = (visit: Visit, codes: string[], notice: string) =>
  codes.length > 0 ? showStep(visit, { kind: 'codes', codes }) : show(visit, { notice });

export default page<Data>({
  path: '/account/security',
  personal: true,
  load: async (visit) => (isLoggedIn(visit) ? show(visit, {}) : toLogin()),
  actions: {
    'add-passkey': confirmed(async (visit) =>
      showStep(visit, { kind: 'passkey', requested: await visit.souk.users.getPasskeyOptions(businessOf(visit)) }),
    ),
    'save-passkey': own(async (visit, form) => {
      const [challenge, name] = [form.get('challenge') ?? '', form.get('name')?.trim() ?? ''];
      const credential = credentialIn(form) ?? {};
      const { recoveryCodes } = await visit.souk.users.createPasskey({ challenge, name, credential });
      return added(visit, recoveryCodes, visit.site.texts.security.passkeyAdded);
    }),
    'rename-passkey': own(async (visit, form) => {
      await visit.souk.users.updatePasskey(form.get('id') ?? '', { name: form.get('name')?.trim() ?? '' });
      return show(visit, { notice: visit.site.texts.security.passkeyRenamed });
    }),
    'remove-passkey': confirmed(async (visit, form) => {
      await visit.souk.users.deletePasskey(form.get('id') ?? '');
      return show(visit, { notice: visit.site.texts.security.passkeyRemoved });
    }),
    'add-app': confirmed(async (visit) =>
      showStep(visit, { kind: 'app', setup: await visit.souk.users.createTotp(businessOf(visit)) }),
    ),
    'confirm-app': own(async (visit, form) => {
      const setup = { secret: form.get('secret') ?? '', uri: form.get('uri') ?? '' };
      try {
        const { recoveryCodes } = await visit.souk.users.confirmTotp({ code: form.get('code')?.trim() ?? '' });
        return added(visit, recoveryCodes, visit.site.texts.security.appAdded);
      } catch (error) {
        return showStep(visit, { kind: 'app', setup }, 422, problemsOf(error, visit));
      }
    }),
    'remove-app': confirmed(async (visit) => {
      await visit.souk.users.deleteTotp();
      return show(visit, { notice: visit.site.texts.security.appRemoved });
    }),
    'new-codes': confirmed(async (visit) => {
      const { recoveryCodes } = await visit.souk.users.createRecoveryCodes();
      return showStep(visit, { kind: 'codes', codes: recoveryCodes });
    }),
    password: own(async (visit, form) => {
      const [oldPassword, newPassword] = [form.get('oldPassword') ?? '', form.get('newPassword') ?? ''];
      await visit.souk.users.resetPassword({ oldPassword, newPassword });
      return show(visit, { notice: visit.site.texts.account.passwordChanged });
    }),
    'set-password': own(async (visit) => {
      const { email = '' } = await visit.souk.users.me();
      await visit.souk.users.forgotPassword({ email, ...requestingSite(visit) });
      return show(visit, { notice: fill(visit.site.texts.account.resetSent, { email }) });
    }),
    end: own(async (visit, form) => {
      await visit.souk.users.deleteSession(form.get('id') ?? '').catch((error) => {
        if (!isSoukError(error, 'NOT_FOUND')) throw error;
      });
      return { redirect: '/account/security', status: 303 };
    }),
  },
  View({ data: { step, problems, notice }, site, visit: { csrf } }) {
    const { account, security, signIn } = site.texts;
    const shared = { site, csrf };
    const frame = (title: string, children: ComponentChildren) => (
      <AccountFrame site={site} current="security" csrf={csrf} title={title}>
        {children}
      </AccountFrame>
    );
    if (!('kind' in step)) {
      const { factors, sessions } = step;
      return frame(
        account.security,
        <div class="security">
          {notice && (
            <p class="notice good" role="status">
              {notice}
            </p>
          )}
          <FormProblem text={problems[''] ?? problems.credential ?? problems.challenge} />
          <Passkeys passkeys={factors.passkeys} {...shared} />
          <AuthenticatorApp totp={factors.totp} {...shared} />
          {(factors.totp || factors.passkeys.length > 0) && (
            <RecoveryCodes left={factors.recoveryCodesLeft} {...shared} />
          )}
          <Password hasPassword={factors.hasPassword} problems={problems} {...shared} />
          <Sessions sessions={sessions} {...shared} />
        </div>,
      );
    }
    switch (step.kind) {
      case 'confirm':
        return frame(signIn.confirmTitle, <Confirm pending={step.pending} path="/account/security" {...shared} />);
      case 'app':
        return frame(security.addApp, <AppSetup setup={step.setup} problems={problems} {...shared} />);
      case 'codes':
        return frame(security.saveCodes, <SavedCodes codes={step.codes} site={site} />);
      case 'passkey': {
        const { challenge, options } = step.requested;
        const fields = { csrf, action: 'save-passkey' };
        const action = link(site, '/account/security');
        return frame(
          security.addPasskey,
          <>
            <p>{security.passkeysText}</p>
            <Island
              name="passkey-button"
              of={PasskeyButton}
              props={{ label: security.createPasskey, action, fields, challenge, options, isNew: true }}
            />
            <noscript>
              <p class="notice">{signIn.noScript}</p>
            </noscript>
          </>,
        );
      }
    }
  },
});

/** Authenticator apps and passkeys show the name of the business. */
const businessOf = ({ site: { businessId } }: Visit) => ({ businessId });

const showStep = ({ site }: Visit, step: Step, status: 200 | 422 = 200, problems: Problems = {}): Loaded<Data> => ({
  status,
  data: { step, problems, notice: '' },
  head: { title: site.texts.account.security, noindex: true },
});

async function show({ souk, site }: Visit, { problems = {}, notice = '' }: Partial<Data>): Promise<Loaded<Data>> {
  const [factors, sessions] = await Promise.all([
    souk.users.getFactors(),
    souk.users.listSessions({ limit: 50 }).take(50),
  ]);
  return {
    status: Object.keys(problems).length > 0 ? 422 : 200,
    data: { step: { factors, sessions }, problems, notice },
    head: { title: site.texts.account.security, noindex: true },
  };
}
