import { page } from '../page.ts';
import { followLink, type MailLinkData, MailLinkPage, showLink } from '../sign-in/mail-link.tsx';

/** The page that the link in a confirmation email opens. */
export default page<MailLinkData>({
  path: '/confirm',
  personal: true,
  load: async ({ query, site }) => showLink(site.texts.signIn.confirmEmail, { token: query.get('token') ?? '' }),
  actions: {
    follow(visit, form) {
      const token = form.get('token') ?? '';
      const title = visit.site.texts.signIn.confirmEmail;
      return followLink(visit, { title, token }, () => visit.own().users.confirmEmail({ token }));
    },
  },
  View({ data, site, visit: { csrf } }) {
    const { signIn } = site.texts;
    const words = {
      title: signIn.confirmEmail,
      text: signIn.confirmEmailText,
      button: signIn.confirmEmailButton,
      done: signIn.emailConfirmed,
    };
    return <MailLinkPage data={data} site={site} csrf={csrf} words={words} path="/confirm" />;
  },
});
