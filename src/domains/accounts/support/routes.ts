import { command } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessRecordParams, Success } from '../../../shared/schemas.ts';
import { SupportSession } from './schemas.ts';
import { beginSupport, endSupport } from './support-session.ts';

const tags = ['Customers'];

export function supportRoutes(app: App): void {
  app.post(
    '/v1/businesses/:businessId/customers/:id/support-session',
    {
      config: { access: 'ADMIN', grantsAccess: true },
      schema: {
        tags,
        operationId: 'createSupportSession',
        summary: 'View the storefront as a customer',
        description:
          "Returns a read-only access token for the customer. It is limited to this business and expires after 30 minutes. There is no refresh token. The token names the ADMIN in its `act` claim. The start and end of the session are recorded as events of the business and of the account. Accounts that are members of a business can't be viewed. Requires a login; API keys can't do this.",
        params: BusinessRecordParams,
        response: { 200: SupportSession },
      },
    },
    (request) => command(request, beginSupport, request.params.id),
  );

  app.delete(
    '/v1/businesses/:businessId/support-sessions/:id',
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'deleteSupportSession',
        summary: 'End a support session',
        params: BusinessRecordParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, endSupport, request.params.id),
  );
}
