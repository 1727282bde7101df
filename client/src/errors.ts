import type { DetailCode } from './generated/types.ts';

/** The error codes of the service, and three that the client adds. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  /** The login needs a second factor: send `challenge` with one of `methods` to `users.loginWithSecondFactor`. */
  | 'SECOND_FACTOR_REQUIRED'
  | 'FORBIDDEN'
  /** The business requires a second factor that the account doesn't have. */
  | 'SECOND_FACTOR_MISSING'
  /** The business enforces single sign-on, and this is another login. */
  | 'SSO_REQUIRED'
  /** The API key was created before a security policy. Its owner must confirm it. */
  | 'KEY_UNCONFIRMED'
  /** The action requires step-up authentication: see `stepUp` of `createClient`. */
  | 'STEP_UP_REQUIRED'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'PRECONDITION_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'REQUEST_TIMEOUT'
  | 'HEADERS_TOO_LARGE'
  | 'VALIDATION_FAILED'
  | 'IDEMPOTENCY_MISMATCH'
  | 'RATE_LIMITED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  /** No response: the service is unreachable or this device is offline. */
  | 'NETWORK'
  /** No response within `timeoutMs`. */
  | 'TIMEOUT'
  /** A response that is not from the service, for example a proxy's error page. */
  | 'INVALID_RESPONSE';

/** An invalid field: `{ field: 'items[0].quantity', error: 'INSUFFICIENT_STOCK', message: '…' }`. */
export type ErrorDetail = { field: string; error: DetailCode; message: string };

type ErrorBody = {
  error?: string;
  message?: string;
  details?: ErrorDetail[];
  requestId?: string;
  challenge?: string;
  methods?: string[];
};

/** Thrown when a call fails. Aborted calls reject with the signal's reason instead. `message` can be shown to users. */
export class SoukError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'SoukError';
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The error code, such as `NOT_FOUND` or `VALIDATION_FAILED`. */
  readonly error: Code;
  readonly details: ErrorDetail[];
  /** Include it when you report an error. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** Set for `SECOND_FACTOR_REQUIRED` and `STEP_UP_REQUIRED`. */
  readonly challenge: string | null;
  /**
   * The methods that can complete the challenge: `PASSKEY`, `TOTP`, `RECOVERY_CODE`, `PASSWORD`. `LOGIN`: none of these can
   * be used in this session. Log in again, then repeat the call within 5 minutes.
   */
  readonly methods: string[];

  constructor(
    status: number,
    { error, message, details, requestId, challenge, methods }: ErrorBody,
    context: { cause?: unknown; requestId?: string | null; retryAfterSeconds?: number | null } = {},
  ) {
    super(message ?? `The service responded with status ${status}.`, context.cause ? { cause: context.cause } : {});
    this.status = status;
    this.error = (error ?? 'INVALID_RESPONSE') as Code;
    this.details = Array.isArray(details) ? details : [];
    this.requestId = requestId ?? context.requestId ?? null;
    this.retryAfterSeconds = context.retryAfterSeconds ?? null;
    this.challenge = challenge ?? null;
    this.methods = methods ?? [];
  }

  /** The detail of a field, or undefined: `error.detail('email')?.message`. */
  detail(field: string): ErrorDetail | undefined {
    return this.details.find((detail) => detail.field === field);
  }

  /** Whether a detail has this code: `error.has('INSUFFICIENT_STOCK')`. */
  has(code: DetailCode): boolean {
    return this.details.some((detail) => detail.error === code);
  }
}

/** Whether this is a SoukError, optionally with one of these codes: `if (isSoukError(error, 'NOT_FOUND')) …` */
export function isSoukError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is SoukError<Code> {
  return error instanceof SoukError && (codes.length === 0 || codes.includes(error.error as Code));
}
