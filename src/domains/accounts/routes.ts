import type { App } from '../../http/server.ts';
import { factorLoginRoutes } from './factors/login-routes.ts';
import { factorRoutes } from './factors/routes.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { phoneRoutes } from './phone/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';

export function accountRoutes(app: App): void {
  passwordRoutes(app);
  sessionRoutes(app);
  oauthRoutes(app);
  profileRoutes(app);
  phoneRoutes(app);
  factorLoginRoutes(app);
  factorRoutes(app);
}
