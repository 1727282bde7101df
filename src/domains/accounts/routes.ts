import type { App } from '../../http/server.ts';
import { codeRoutes } from './codes/routes.ts';
import { factorLoginRoutes } from './factors/login-routes.ts';
import { factorRoutes } from './factors/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { phoneRoutes } from './phone/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { scimRoutes } from './scim/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { ssoRoutes } from './sso/routes.ts';
import { supportRoutes } from './support/routes.ts';

export function accountRoutes(app: App): void {
  passwordRoutes(app);
  sessionRoutes(app);
  oauthRoutes(app);
  profileRoutes(app);
  phoneRoutes(app);
  keyRoutes(app);
  codeRoutes(app);
  ssoRoutes(app);
  supportRoutes(app);
  scimRoutes(app);
  factorLoginRoutes(app);
  factorRoutes(app);
}
