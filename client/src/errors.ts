/** The codes that the service answers, and the three that the client adds itself. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'PRECONDITION_FAILED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
  | 'IDEMPOTENCY_MISMATCH'
  | 'RATE_LIMITED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  /** No answer: the service is away, or this machine is offline. */
  | 'NETWORK'
  /** No answer within `timeoutMs`. */
  | 'TIMEOUT'
  /** An answer that is not the service's, for example the page of a proxy. */
  | 'BAD_ANSWER';

/** What is wrong with one field: `{ field: 'items[0].quantity', error: 'INSUFFICIENT_STOCK', message: '…' }`. */
export type ErrorDetail = { field: string; error: string; message: string };

type Answer = { error?: string; message?: string; details?: ErrorDetail[]; requestId?: string };

/** Every call that fails, fails with this. `message` can be shown to people. */
export class SoukError<Code extends string = string> extends Error {
  override readonly name = 'SoukError';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Such as `NOT_FOUND` or `VALIDATION_FAILED`. */
  readonly error: Code;
  readonly details: ErrorDetail[];
  /** Quote it when you report an error. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    { error, message, details, requestId }: Answer,
    context: { cause?: unknown; requestId?: string | null; retryAfterSeconds?: number | null } = {},
  ) {
    super(message ?? `The service answered with status ${status}.`, context.cause ? { cause: context.cause } : {});
    this.status = status;
    this.error = (error ?? 'BAD_ANSWER') as Code;
    this.details = Array.isArray(details) ? details : [];
    this.requestId = requestId ?? context.requestId ?? null;
    this.retryAfterSeconds = context.retryAfterSeconds ?? null;
  }

  /** What is wrong with this field, or undefined: `error.detail('email')?.message`. */
  detail(field: string): ErrorDetail | undefined {
    return this.details.find((detail) => detail.field === field);
  }

  /** Whether a detail has this code: `error.has('INSUFFICIENT_STOCK')`. */
  has(code: string): boolean {
    return this.details.some((detail) => detail.error === code);
  }
}

/** Is it an error of the service, and one of these? `if (isSoukError(error, 'NOT_FOUND')) …` */
export function isSoukError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is SoukError<Code> {
  return error instanceof SoukError && (codes.length === 0 || codes.includes(error.error as Code));
}
