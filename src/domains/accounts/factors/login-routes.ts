import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { AuthResult } from '../sessions/schemas.ts';
import {
  PasskeyLoginInput,
  PasskeyLoginOptionsInput,
  PasskeyOptions,
  SecondFactorInput,
  StepUp,
  StepUpInput,
} from './schemas.ts';
import { passkeyLogin, passkeyLoginOptions, secondFactorLogin } from './second-factor-login.ts';
import { stepUp, stepUpOptions } from './step-up.ts';

const tags = ['Users'];

/** Logins with a second factor or a passkey, and step-up within a session. */
export function factorLoginRoutes(app: App): void {
  app.post(
    '/v1/users/login/second-factor',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'loginWithSecondFactor',
        summary: 'Complete a login with a second factor',
        description:
          'For a login that failed with 401 `SECOND_FACTOR_REQUIRED`. Send its `challenge` with one of its `methods`: `code` for `TOTP` and `RECOVERY_CODE`, `credential` for `PASSKEY`. The challenge expires after 10 minutes.',
        body: SecondFactorInput,
        response: { 200: AuthResult },
      },
    },
    (request) => command(request, secondFactorLogin, request.body),
  );

  app.post(
    '/v1/users/login/passkey/options',
    {
      config: { access: 'public', bodyOptional: true },
      schema: {
        tags,
        operationId: 'getPasskeyLoginOptions',
        summary: 'Start a login with a passkey',
        description:
          'Returns the options for `navigator.credentials.get`. With the `challenge` of a login, the passkey is its second factor: send the result to `/v1/users/login/second-factor`.',
        body: PasskeyLoginOptionsInput,
        response: { 200: PasskeyOptions },
      },
    },
    (request) => query(request, passkeyLoginOptions, { ...request.body, origin: request.headers.origin }),
  );

  app.post(
    '/v1/users/login/passkey',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'loginWithPasskey',
        summary: 'Log in with a passkey',
        description: 'Requires neither an email nor a second factor.',
        body: PasskeyLoginInput,
        response: { 200: AuthResult },
      },
    },
    (request) => command(request, passkeyLogin, request.body),
  );

  app.post(
    '/v1/users/me/step-up/options',
    {
      config: { access: 'token', openToLimited: true, idempotent: false },
      schema: {
        tags,
        operationId: 'getStepUpOptions',
        summary: 'Start a step-up with a passkey',
        response: { 200: PasskeyOptions },
      },
    },
    (request) => query(request, stepUpOptions, request.headers.origin),
  );

  app.post(
    '/v1/users/me/step-up',
    {
      config: { access: 'token', openToLimited: true, idempotent: false },
      schema: {
        tags,
        summary: 'Complete a step-up',
        operationId: 'stepUp',
        description:
          'For a request that failed with 403 `STEP_UP_REQUIRED`. Send its `challenge` with one of its `methods`, then repeat the request with `token` in the `Souk-Step-Up` header. The token works for 5 minutes, in this session only.',
        body: StepUpInput,
        response: { 200: StepUp },
      },
    },
    (request) => command(request, stepUp, request.body),
  );
}
