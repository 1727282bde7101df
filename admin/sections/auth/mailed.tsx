import { demoLogin } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

/** Asks the user to check their inbox. In development, links to the mailbox. */
export const Mailed = ({ text }: { text: string }) => (
  <>
    <p class="notice good" role="status">
      {text}
    </p>
    {demoLogin && <a href="/dev/mailbox">{t('auth.mailbox')}</a>}
    <a href="/admin">{t('auth.toLogIn')}</a>
  </>
);
