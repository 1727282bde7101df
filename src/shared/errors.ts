/** An invalid field of a request. `field` is a path such as `variants[0].pricing.markets[0].price`. */
export type FieldError = { field: string; error: string; message: string };

export type ErrorKind =
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'SECOND_FACTOR_REQUIRED'
  | 'FORBIDDEN'
  | 'SECOND_FACTOR_MISSING'
  | 'SSO_REQUIRED'
  | 'KEY_UNCONFIRMED'
  | 'STEP_UP_REQUIRED'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'PRECONDITION_FAILED'
  | 'VALIDATION_FAILED'
  | 'IDEMPOTENCY_MISMATCH'
  | 'PAYLOAD_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE';

/** Sent with an error that asks for a factor: `challenge` is sent back with one of `methods`. */
export type FactorRequest = { challenge: string; methods: string[] };

/** The error that domains throw. Only `http/` maps a kind to a status code. */
export class ServiceError extends Error {
  readonly kind: ErrorKind;
  readonly details: FieldError[];
  readonly retryAfterSeconds: number | undefined;
  readonly factorRequest: FactorRequest | undefined;

  constructor(
    kind: ErrorKind,
    message: string,
    details: FieldError[] = [],
    { retryAfterSeconds, factorRequest }: { retryAfterSeconds?: number; factorRequest?: FactorRequest } = {},
  ) {
    super(message);
    this.kind = kind;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.factorRequest = factorRequest;
  }
}

export const badRequest = (message: string, details?: FieldError[]) =>
  new ServiceError('BAD_REQUEST', message, details);
export const unauthenticated = (message = 'A valid token is required.') => new ServiceError('UNAUTHENTICATED', message);
export const forbidden = (message = "You don't have permission to do this.") => new ServiceError('FORBIDDEN', message);
const factorError = (kind: ErrorKind, message: string, factorRequest: FactorRequest) =>
  new ServiceError(kind, message, [{ field: 'challenge', error: 'REQUIRED', message }], { factorRequest });
export const secondFactorRequired = (request: FactorRequest) =>
  factorError('SECOND_FACTOR_REQUIRED', 'Use your second factor to finish logging in.', request);
export const stepUpRequired = (request: FactorRequest) =>
  factorError('STEP_UP_REQUIRED', "Confirm that it's you to continue.", request);
export const secondFactorMissing = () =>
  new ServiceError(
    'SECOND_FACTOR_MISSING',
    'This business requires a second factor. Add a passkey or an authenticator app to your account.',
  );
export const ssoRequired = () =>
  new ServiceError('SSO_REQUIRED', 'This business requires single sign-on. Log in with it to continue.');
export const keyUnconfirmed = () =>
  new ServiceError(
    'KEY_UNCONFIRMED',
    'This API key was created before a security setting was turned on. Its owner must confirm it under Account › API keys.',
  );
export const notFound = (what = 'Record') => new ServiceError('NOT_FOUND', `${what} not found.`);
export const notSetUp = (what: string) => new ServiceError('NOT_FOUND', `${what} is not set up for this business.`);
export const conflict = (message: string, details?: FieldError[]) => new ServiceError('CONFLICT', message, details);
export const preconditionFailed = () =>
  new ServiceError(
    'PRECONDITION_FAILED',
    'The record has changed since the version in If-Match. Fetch it again and reapply your change.',
  );
export const rateLimited = (retryAfterSeconds: number) =>
  new ServiceError('RATE_LIMITED', 'Too many requests. Try again later.', [], {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)),
  });
export const tooLarge = (message: string) => new ServiceError('PAYLOAD_TOO_LARGE', message);
export const unavailable = (message = 'The service is temporarily unavailable. Try again later.') =>
  new ServiceError('UNAVAILABLE', message);

/** True for temporary errors, which are worth a retry. */
export const isTemporary = ({ kind }: ServiceError) => kind === 'UNAVAILABLE' || kind === 'RATE_LIMITED';

/** Several invalid fields at once. */
export const invalid = (details: FieldError[]) =>
  new ServiceError('VALIDATION_FAILED', details[0]?.message ?? 'The request is invalid.', details);

/** One invalid field. */
export const invalidField = (field: string, error: string, message: string) => invalid([{ field, error, message }]);
