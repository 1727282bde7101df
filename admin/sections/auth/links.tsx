/** Links from the login page to the other logged-out pages. */
import { t } from '../../text/index.ts';

export const AuthLinks = () => (
  <p class="auth-links">
    <a href="/admin/login-code">{t('auth.logInWithCode')}</a>
    <a href="/admin/sso">{t('auth.logInWithSso')}</a>
    <a href="/admin/forgot-password">{t('shell.forgot')}</a>
    <a href="/admin/register">{t('shell.register')}</a>
  </p>
);
