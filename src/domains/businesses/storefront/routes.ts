import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams } from '../../../shared/schemas.ts';
import { HostParams, StorefrontHost, StorefrontHosts } from './schemas.ts';
import { listStorefrontHosts, verifyHost } from './verify-host.ts';

const HOSTS = '/v1/businesses/:businessId/storefront/hosts';
const tags = ['Businesses'];

export function storefrontRoutes(app: App): void {
  app.get(
    HOSTS,
    {
      config: { access: 'BUSINESS_WRITE' },
      schema: {
        tags,
        operationId: 'listStorefrontHosts',
        summary: 'List storefront hosts',
        description: 'Returns each host in `configs.storefront.hosts` with the DNS record that verifies it.',
        params: BusinessParams,
        response: { 200: StorefrontHosts },
      },
    },
    (request) => query(request, listStorefrontHosts, undefined),
  );

  app.post(
    `${HOSTS}/:host/check`,
    {
      config: { access: 'BUSINESS_WRITE' },
      schema: {
        tags,
        operationId: 'checkStorefrontHost',
        summary: "Check a host's DNS record",
        description: 'Looks for the TXT record. Once it is found, the host serves the storefront.',
        params: HostParams,
        response: { 200: StorefrontHost },
      },
    },
    (request) => command(request, verifyHost, { host: request.params.host }),
  );
}
