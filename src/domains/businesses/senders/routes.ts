import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, Success } from '../../../shared/schemas.ts';
import { checkSender, readSender, removeSender, saveSender } from './change-sender.ts';
import { Sender, SenderInput } from './schemas.ts';

const SENDER = '/v1/businesses/:businessId/sender';
const tags = ['Businesses'];

export function senderRoutes(app: App): void {
  app.get(
    SENDER,
    {
      config: { access: 'BUSINESS_WRITE' },
      schema: {
        tags,
        operationId: 'getSender',
        summary: 'Get the email sender',
        description: 'Returns the sender address of the business and the DNS records of its domain.',
        params: BusinessParams,
        response: { 200: Sender },
      },
    },
    (request) => query(request, readSender, undefined),
  );

  app.put(
    SENDER,
    {
      config: { access: 'BUSINESS_WRITE' },
      schema: {
        tags,
        operationId: 'updateSender',
        summary: 'Set the email sender',
        description:
          'Emails are sent from this address once the DNS records `OWNERSHIP` and `DKIM` of its domain are found. A different domain gets a new key.',
        params: BusinessParams,
        body: SenderInput,
        response: { 200: Sender },
      },
    },
    (request) => command(request, saveSender, request.body),
  );

  app.post(
    `${SENDER}/check`,
    {
      config: { access: 'BUSINESS_WRITE' },
      schema: {
        tags,
        operationId: 'checkSender',
        summary: "Check the sender's DNS records",
        description: 'Looks up the DNS records and returns the state of each.',
        params: BusinessParams,
        response: { 200: Sender },
      },
    },
    (request) => command(request, checkSender, undefined),
  );

  app.delete(
    SENDER,
    {
      config: { access: 'BUSINESS_WRITE' },
      schema: {
        tags,
        operationId: 'deleteSender',
        summary: 'Remove the email sender',
        description: "Emails are sent from the service's address again.",
        params: BusinessParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, removeSender, undefined),
  );
}
