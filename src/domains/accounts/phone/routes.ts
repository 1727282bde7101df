import { command } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { Success } from '../../../shared/schemas.ts';
import { confirmPhone } from './confirm-phone.ts';
import { PhoneConfirmInput, PhoneInput } from './schemas.ts';
import { sendPhoneCode } from './send-phone-code.ts';

const tags = ['Users'];

export function phoneRoutes(app: App): void {
  app.post(
    '/v1/users/phone-number',
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'sendPhoneCode',
        summary: 'Send a confirmation code to a phone number',
        description:
          'Sends a six-digit code by SMS. The code expires after 10 minutes or 5 failed attempts. You can request a new code once a minute.',
        body: PhoneInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, sendPhoneCode, request.body),
  );

  app.post(
    '/v1/users/phone-number/confirm',
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'confirmPhoneNumber',
        summary: 'Confirm a phone number',
        body: PhoneConfirmInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, confirmPhone, request.body),
  );
}
