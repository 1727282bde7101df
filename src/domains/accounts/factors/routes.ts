import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { Success } from '../../../shared/schemas.ts';
import { addPasskey, newPasskeyOptions, removePasskey, renamePasskey } from './passkey-setup.ts';
import { readFactors } from './read-factors.ts';
import { renewRecoveryCodes } from './recovery.ts';
import {
  AddedPasskey,
  FactorAdded,
  Factors,
  Passkey,
  PasskeyChange,
  PasskeyInput,
  PasskeyOptions,
  PasskeyParams,
  RecoveryCodes,
  SiteInput,
  TotpConfirmInput,
  TotpSetup,
} from './schemas.ts';
import { beginTotp, confirmTotpSetup, removeTotp } from './totp-setup.ts';

const tags = ['Users'];
const config = { access: 'token' } as const;
const FRESH = 'Requires step-up authentication. Otherwise, it fails with 403 `STEP_UP_REQUIRED`.';

/** The caller's own passkeys, authenticator app and recovery codes. */
export function factorRoutes(app: App): void {
  app.get(
    '/v1/users/me/factors',
    {
      config,
      schema: { tags, operationId: 'getFactors', summary: 'Get my second factors', response: { 200: Factors } },
    },
    (request) => query(request, readFactors, undefined),
  );

  app.post(
    '/v1/users/me/passkeys/options',
    {
      config: { ...config, idempotent: false, bodyOptional: true },
      schema: {
        tags,
        operationId: 'getPasskeyOptions',
        summary: 'Start adding a passkey',
        description: `Returns the options for \`navigator.credentials.create\`. The passkey belongs to the host name in \`Origin\`. ${FRESH}`,
        body: SiteInput,
        response: { 200: PasskeyOptions },
      },
    },
    (request) => query(request, newPasskeyOptions, { ...request.body, origin: request.headers.origin }),
  );

  app.post(
    '/v1/users/me/passkeys',
    {
      config,
      schema: {
        tags,
        operationId: 'createPasskey',
        summary: 'Add a passkey',
        description:
          'Adding the first factor to an account ends its other sessions and returns recovery codes, which are shown once.',
        body: PasskeyInput,
        response: { 200: AddedPasskey },
      },
    },
    (request) => command(request, addPasskey, request.body),
  );

  app.put(
    '/v1/users/me/passkeys/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'updatePasskey',
        summary: 'Rename a passkey',
        params: PasskeyParams,
        body: PasskeyChange,
        response: { 200: Passkey },
      },
    },
    (request) => command(request, renamePasskey, { id: request.params.id, name: request.body.name }),
  );

  app.delete(
    '/v1/users/me/passkeys/:id',
    {
      config,
      schema: {
        tags,
        operationId: 'deletePasskey',
        summary: 'Remove a passkey',
        description: FRESH,
        params: PasskeyParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, removePasskey, request.params.id),
  );

  app.post(
    '/v1/users/me/totp',
    {
      config: { ...config, bodyOptional: true },
      schema: {
        tags,
        operationId: 'createTotp',
        summary: 'Start adding an authenticator app',
        description: `Show \`uri\` as a QR code, then confirm the app with its first code. ${FRESH}`,
        body: SiteInput,
        response: { 200: TotpSetup },
      },
    },
    (request) => command(request, beginTotp, request.body),
  );

  app.post(
    '/v1/users/me/totp/confirm',
    {
      config,
      schema: {
        tags,
        operationId: 'confirmTotp',
        summary: 'Confirm an authenticator app',
        description:
          'Adding the first factor to an account ends its other sessions and returns recovery codes, which are shown once.',
        body: TotpConfirmInput,
        response: { 200: FactorAdded },
      },
    },
    (request) => command(request, confirmTotpSetup, request.body),
  );

  app.delete(
    '/v1/users/me/totp',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteTotp',
        summary: 'Remove the authenticator app',
        description: FRESH,
        response: { 200: Success },
      },
    },
    (request) => command(request, removeTotp, undefined),
  );

  app.post(
    '/v1/users/me/recovery-codes',
    {
      config,
      schema: {
        tags,
        operationId: 'createRecoveryCodes',
        summary: 'Create new recovery codes',
        description: `The previous codes stop working. ${FRESH}`,
        response: { 200: RecoveryCodes },
      },
    },
    (request) => command(request, renewRecoveryCodes, undefined),
  );
}
