import { Field } from '../forms.tsx';
import { page } from '../page.ts';
import { followLink, type MailLinkData, MailLinkPage, showLink } from '../sign-in/mail-link.tsx';

/** The page that the link in a password reset email opens. */
export default page<MailLinkData>({
  path: '/reset-password',
  personal: true,
  load: async ({ query, site }) => showLink(site.texts.account.forgot, { token: query.get('token') ?? '' }),
  actions: {
    follow(visit, form) {
      const [token, password] = [form.get('token') ?? '', form.get('password') ?? ''];
      const title = visit.site.texts.account.forgot;
      return followLink(visit, { title, token }, () => visit.own().users.resetForgotPassword({ token, password }));
    },
  },
  View({ data, site, visit: { csrf } }) {
    const { account, signIn } = site.texts;
    const words = { title: account.forgot, button: signIn.savePassword, done: signIn.passwordReset };
    return (
      <MailLinkPage data={data} site={site} csrf={csrf} words={words} path="/reset-password">
        <Field
          name="password"
          label={account.newPassword}
          hint={account.hint}
          type="password"
          autocomplete="new-password"
          required
          problem={data.problems.password}
        />
      </MailLinkPage>
    );
  },
});
