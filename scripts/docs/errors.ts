import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { USE_CASE_ERRORS } from '../../src/http/error-codes.ts';
import { STATUS } from '../../src/http/errors.ts';
import type { ErrorKind } from '../../src/shared/errors.ts';
import { code, table } from './markdown.ts';

const KINDS: Record<ErrorKind, string> = {
  BAD_REQUEST: 'The request is malformed.',
  UNAUTHENTICATED: 'The token or API key is missing, invalid or expired. Refresh the token or log in.',
  SECOND_FACTOR_REQUIRED:
    'The login needs a second factor. Send `challenge` and one of `methods` to `POST /v1/users/login/second-factor`.',
  SECOND_FACTOR_MISSING:
    'The business requires a second factor, and the account has none. Requests to it fail until the user adds one.',
  SSO_REQUIRED:
    'The business enforces single sign-on for your email domain, and this session or login is another one. Log in with single sign-on.',
  KEY_UNCONFIRMED:
    'The API key was created before its owner added a second factor, or before the business turned on a security policy. It fails until the owner confirms it.',
  STEP_UP_REQUIRED:
    'The action requires step-up authentication. Send `challenge` and one of `methods` to `POST /v1/users/me/step-up`, then repeat the request with `Souk-Step-Up`. If `methods` is `["LOGIN"]`, log in again, then repeat the request within 5 minutes.',
  FORBIDDEN: 'The caller is not allowed to do this, for example because a permission is missing.',
  NOT_FOUND: 'The record does not exist, or the caller is not allowed to see it.',
  CONFLICT: 'The request conflicts with existing data, for example because a file to be deleted is in use.',
  PRECONDITION_FAILED:
    'The record has changed since the version in `If-Match`. Fetch it again and reapply your change.',
  VALIDATION_FAILED: 'One or more fields are invalid. `details` lists them.',
  IDEMPOTENCY_MISMATCH: 'The `Idempotency-Key` was already used with a different request.',
  PAYLOAD_TOO_LARGE: 'The body is too large ([limits](limits.md)).',
  RATE_LIMITED: 'Too many requests. Wait for the number of seconds in `Retry-After`.',
  UNAVAILABLE:
    'The database, file storage or a provider is unavailable, or the service is too busy or shutting down. Retry after the number of seconds in `Retry-After`.',
};

/** Errors that the HTTP server raises itself. */
const OTHERS: [status: number, kind: string, meaning: string][] = [
  [408, 'REQUEST_TIMEOUT', 'The request timed out.'],
  [415, 'UNSUPPORTED_MEDIA_TYPE', "The content type isn't supported."],
  [431, 'HEADERS_TOO_LARGE', 'The headers are too large.'],
  [500, 'INTERNAL', 'An unexpected error occurred. `requestId` identifies the log entry.'],
];

const DETAILS: Record<string, string> = {
  ADJUSTED: 'Import warning: the order amounts did not add up and were adjusted.',
  ACCESS_DIFFERS: 'The alternative must have the same access as the issue.',
  ALREADY_SHIPPED: "The item was shipped, so its quantity can't be lower than the shipped quantity.",
  AMBIGUOUS: 'Import: the value is ambiguous, such as the price `1.299` or the date `03/04/2024`.',
  ANY_VALUE:
    'Import warning: a variation applies to any value of an option. It became one variant without that option.',
  CHALLENGE_INVALID: 'The challenge has expired, was already used or belongs to another session.',
  CODE_INVALID:
    'The code is incorrect or has expired: an emailed code, an SMS code, a code from the authenticator app or identity provider, or a recovery code.',
  CREDENTIAL_INVALID: "The passkey couldn't be verified.",
  CURRENCY_MISMATCH: "The currency differs from the market's currency.",
  CUT_OFF: 'Import: the file is truncated or records are missing.',
  DAMAGED: "The image can't be decoded.",
  DROPPED:
    'Import warning: the value is missing, is not supported or has no matching field. The message says what was imported instead.',
  DUPLICATE: 'The value is already in use, or occurs more than once in the request.',
  EMAIL_EXISTS: 'An account with this email already exists.',
  EMBED: 'Import warning: an embedded video, player or page was replaced with a link, or left out.',
  EMPTY: 'The file or cart is empty.',
  EXPIRED: 'The confirmation link has expired. Subscribe again to get a new one.',
  INCOMPLETE: 'Import: another row of this record is invalid, so the record was not imported.',
  INSUFFICIENT_STOCK: 'There is not enough stock.',
  INVALID_ENCODING: 'Import: the file contains bytes that are invalid in its encoding.',
  INVALID_FORMAT: 'The value has the wrong format.',
  INVALID_HEADER: "Import: the header row can't be read.",
  INVALID_JSON: "The JSON can't be parsed.",
  INVALID_ORIGIN_URI:
    'The origin is not allowed. OAuth and single sign-on accept only `ALLOWED_ORIGINS`; passkeys also accept storefront hosts, but no IP addresses.',
  INVALID_IBAN: 'The IBAN is not valid.',
  INVALID_REDIRECT_URI: 'The redirect URL is not allowed.',
  INVALID_SIZE: 'The size of the part differs from the declared size.',
  INVALID_TYPE: 'The value has the wrong type.',
  INVALID_URL: 'The URL is invalid or not allowed.',
  INVALID_VALUE: 'The value is not allowed, or conflicts with another field.',
  IN_USE: 'The record in `field` uses the file.',
  KEPT: 'Import warning: the order already exists and was not changed, although the file differs.',
  LOW_CONTRAST: "The color doesn't have enough contrast with the background.",
  MARKDOWN: 'Import warning: the text contains Markdown, which was imported as plain text.',
  MARKUP_FILE: 'Import: the file is XML or HTML. The message names the file to export instead.',
  NEGATIVE: 'Import warning: a negative quantity or amount was stored as 0.',
  NOT_ALLOWED: 'The value is not allowed here.',
  NOT_A_STATEMENT: 'The file is not a readable bank statement. The message contains the reason.',
  NOT_AVAILABLE: "The shipping method isn't available for this address or cart.",
  NOT_AVAILABLE_IN_MARKET: 'The variant has no price in this market.',
  NOT_A_NEWSLETTER: 'The collection is not a newsletter.',
  NOT_CONFIRMED: 'The email address of the account is not confirmed yet.',
  NOT_DELIVERABLE: 'No shipping method delivers to this address.',
  NOT_FETCHED: 'Import: the file at this URL could not be downloaded.',
  NOT_FOUND: 'The referenced record does not exist.',
  NOT_VERIFIED: 'The DNS record of the host was not found.',
  NOT_PUBLISHED: 'The record must be published first.',
  NOT_SUBSCRIBED: 'Import warning: the person was left out, because they never subscribed or were deleted.',
  IN_STOCK: 'The variant is in stock, so no email is needed.',
  NOT_TRACKED:
    'The stock of this variant is not tracked, or the newsletter does not track the metric that decides the A/B test.',
  NOT_WRITTEN: 'Import: the record could not be written.',
  NO_DATE: 'Import warning: the row has no subscription date. The time of the import is stored as the time of consent.',
  NO_FORMATTING: 'Import warning: the field is plain text, so formatting and images were left out.',
  NO_MARKET: 'Import warning: no market uses the currency of the order. The order keeps its currency.',
  NO_NAME: 'Import warning: the file has only an internal ID, not a name, so the value was left out.',
  NO_PRICE: "Import warning: the file has no price for the variant. Without a price, it can't be bought.",
  NO_TEXT: 'Import: the post would have no text.',
  NO_URL:
    'Import warning: an image or link has no complete URL. Images were left out. Links were kept as relative links.',
  NO_VARIANTS: 'Import warning: the product has no variants in the file and is saved as a draft.',
  NUMBER_CHANGED: 'Import warning: the order was assigned a different number. You can search for either one.',
  OPEN_QUOTE: 'Import: a quoted cell has no closing quote.',
  ORDERS_FILE: 'Import: the file contains orders, but another type was chosen.',
  OUT_OF_RANGE: 'The number is too small or too large.',
  PAGE: 'Import warning: this is a page in the source system. It was imported as a post.',
  PAID_PLAN: 'Import warning: the person pays for the newsletter in the source system. The payment is not imported.',
  PARTIALLY_PAID: 'Import warning: the order was partially paid. Its payment status is Pending.',
  PASSWORD_REQUIRED: 'The password is missing.',
  PASSWORD_WEAK:
    'The password is too short, too long or too common, has no letter, has no number or symbol, or contains the part of the email before the @.',
  PASSWORD_WRONG: 'The password is incorrect.',
  PAYMENT_REQUIRED: 'The plan requires payment. Paying through the link in the email confirms the subscription.',
  PROMO_EXPIRED: 'The promo code has expired.',
  PROMO_MIN_AMOUNT: 'The subtotal is below the minimum amount of the promo code.',
  PROMO_NOT_APPLICABLE: 'The promo code does not apply to these items or in this market.',
  PROMO_NOT_FOUND: 'The promo code does not exist or is not active.',
  PROMO_NOT_STARTED: 'The promo code is not valid yet.',
  PROMO_USED_UP: 'The promo code has no uses left.',
  PROVIDER_NOT_SET: 'The business has no payment provider.',
  PROVIDER_REFUSED: 'The payment provider rejected the request.',
  QUOTA_EXCEEDED: 'The business has no media storage left (`MEDIA_QUOTA`).',
  QUOTE_EXPIRED: 'The quote has expired. Request a new one.',
  QUOTE_MISMATCH: 'The cart differs from the quoted cart.',
  RATE_LIMITED: 'Import: the invitation limit has been reached.',
  REPEATED: 'Import warning: an earlier row has the same value, so it was left out of this one.',
  REQUIRED: 'The field is missing or empty.',
  RESTRICTED:
    'Import warning: access to the post was restricted in the source system. The post was imported as a draft.',
  SALE_DATES:
    'Import warning: the sale price is limited to certain dates. It is scheduled for them, unless the message says otherwise.',
  SHARED_STOCK: 'Import warning: variations share the stock of their product. It was divided among them.',
  SHORTENED: 'Import warning: the text was too long and was shortened.',
  SKIPPED: 'Import warning: the record was left out, because it is a draft or was deleted.',
  STATE_INVALID: 'The login has expired, was already completed or was not started by this service.',
  STATUS_COLUMN: 'Import: a column seems to contain the subscription status, but its format is not recognized.',
  TOKEN_EXPIRED: 'The link or the record it points to has expired.',
  TOKEN_INVALID: 'The link is invalid or has already been used.',
  TOO_COMPLEX:
    'The text or filter is too complex: it is nested too deeply, has too many parts or takes too long to process.',
  TOO_LARGE: 'The value is too large.',
  TOO_LONG: 'The value has too many characters or items.',
  TOO_MANY: 'Import warning: the record has more rows, variants, images or tags than allowed. The rest were left out.',
  TOO_MANY_FRAMES: 'The animation has too many frames.',
  TOO_MANY_PIXELS: 'The image has too many pixels.',
  TOO_SHORT: 'The value has too few characters or items.',
  TOTAL_MISMATCH: 'The amounts do not add up.',
  UNKNOWN_BLOCK: 'The collection has no block with this ID.',
  UNKNOWN_FORMAT: 'Import: the columns match no known format.',
  UNKNOWN_STATUS: 'Import warning: the status is unknown. The message says which status was assigned.',
  UNKNOWN_VARIABLE: 'The text uses a variable that does not exist.',
  UNLISTED: "Import warning: products can't be unlisted. The product is saved as a draft.",
  UNREACHABLE: 'The file at this URL could not be downloaded.',
  UNSUBSCRIBED: 'Import: the person has unsubscribed or their address bounced, so they were not resubscribed.',
  UNSUPPORTED: "Import: records of this type can't be imported.",
  UNSUPPORTED_FILTER: 'The SVG contains a filter that takes too long to render.',
  UNSUPPORTED_TYPE: 'Files of this type are not accepted.',
  UNTRACKED: 'Import warning: the stock is not tracked, because the file has no quantity or allows backorders.',
};

/** All codes that the page lists. */
export const documentedCodes = [...Object.keys(KINDS), ...OTHERS.map(([, kind]) => kind), ...Object.keys(DETAILS)];

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
/** Matches a code as the `error` of a field error, or as an argument of a function that creates one. */
const CODE =
  /(?:error: |(?:invalidField|report|rowError|fileError|add|warn|warnOnce|problem|BadFile|BadImage)\((?:[^()]|\([^()]*\))*?)'([A-Z][A-Z_]{3,})'/g;

/** Codes of `Send.error` that no field error has. */
const SEND_ERRORS = new Set(['ENTRY_NOT_FOUND']);

/** Field error codes that occur in the source, or that operations document. */
function codesInSource(): Set<string> {
  const files = globSync('**/*.ts', { cwd: SRC });
  const found = files.flatMap((file) => [...readFileSync(SRC + file, 'utf8').matchAll(CODE)].map(([, name]) => name!));
  return new Set([...found.filter((name) => !SEND_ERRORS.has(name)), ...Object.values(USE_CASE_ERRORS).flat()]);
}

export function errorsPage(): string {
  const found = codesInSource();
  const differences = [...found]
    .filter((name) => !DETAILS[name])
    .concat(Object.keys(DETAILS).filter((name) => !found.has(name)));
  if (differences.length > 0)
    throw new Error(`scripts/docs/errors.ts and src/ have different codes: ${differences.join(', ')}`);
  const kinds = Object.entries(STATUS).map(([kind, status]): [number, string, string] => [
    status,
    kind,
    KINDS[kind as ErrorKind],
  ]);
  const responses = [...kinds, ...OTHERS].sort(([a], [b]) => a - b);
  const rows = responses.map(([status, kind, meaning]) => [String(status), code(kind), meaning]);
  const details = Object.entries(DETAILS)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, meaning]) => [code(name), meaning]);
  return `# Errors

Every error has these fields:

\`\`\`json
{
  "error": "VALIDATION_FAILED",
  "message": "name is required.",
  "details": [{ "field": "name", "error": "REQUIRED", "message": "name is required." }],
  "validationErrors": [{ "field": "name", "error": "REQUIRED" }]
}
\`\`\`

In code, use \`error\` and \`details[].error\`. \`message\` is for people and may change. \`field\` is a path such as
\`variants[0].pricing.markets[0].price\`. A 500 also has a \`requestId\`. \`SECOND_FACTOR_REQUIRED\` and \`STEP_UP_REQUIRED\` also
have a \`challenge\` and its \`methods\`.

## Error codes

${table(['Status', '`error`', 'Meaning'], rows)}

Retry 429, 502, 503 and 504, and network errors. Send the same \`Idempotency-Key\` with each retry of a POST.

## Field errors

${table(['`details[].error`', 'Meaning'], details)}`;
}
