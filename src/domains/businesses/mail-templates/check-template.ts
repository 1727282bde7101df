/** Checks and sanitizes the text of an email. */
import { prepareTexts } from '../../../shared/blocks/index.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { isUnsolicited, type TemplateKind, VARIABLES, variablesOf } from '../../../shared/mail/kinds.ts';
import { plainText } from '../../../shared/mail/plain-text.ts';
import type { MailText } from '../../../shared/mail/render.ts';
import { hasUnsafeLink } from '../../../shared/mail/rich-text.ts';
import { parseTemplate } from '../../../shared/mail/template.ts';

const MAX_ERRORS = 20;
/** Email clients turn these into links. */
const LINK = /@|:\/\/|www\.|[^\s.][.。．｡]\p{L}{2,}/iu;

/** The sanitized text, or its errors. */
export async function checkTemplate(
  businessId: string,
  kind: TemplateKind,
  { subject, body }: MailText,
): Promise<MailText | { errors: FieldError[] }> {
  const clean = (await prepareTexts(businessId, [{ value: body }])).sanitize(body);
  if (clean === null) return { errors: [error('body', 'TOO_COMPLEX', 'body is nested too deeply.')] };
  const errors = [
    ...unknownVariables(kind, 'subject', subject),
    ...unknownVariables(kind, 'body', clean),
    ...(subject.trim() === '' ? [error('subject', 'REQUIRED', 'subject is required.')] : []),
    ...(hasUnsafeLink(clean, [])
      ? [error('body', 'INVALID_VALUE', 'Links in body must start with fixed text such as https://.')]
      : []),
    ...(isUnsolicited(kind) ? links(subject, clean) : []),
  ];
  return errors.length > 0 ? { errors: errors.slice(0, MAX_ERRORS) } : { subject, body: clean };
}

function unknownVariables(kind: TemplateKind, field: string, text: string): FieldError[] {
  const known: readonly string[] = variablesOf(kind);
  return parseTemplate(text).flatMap((part) =>
    typeof part === 'string' || known.includes(part.variable)
      ? []
      : [
          error(
            field,
            'UNKNOWN_VARIABLE',
            `${field} uses {{${part.variable.slice(0, 100)}}}, which is ${part.variable in VARIABLES ? 'not available in this email' : 'unknown'}. Use one of ${known.join(', ')}.`,
          ),
        ],
  );
}

/** Variables contain dots, but their values have no links. */
function links(subject: string, body: string): FieldError[] {
  const fixed = (text: string) =>
    parseTemplate(text)
      .filter((part) => typeof part === 'string')
      .join(' ');
  const texts = { subject, body: plainText(body) };
  const found = Object.entries(texts).filter(
    ([field, text]) => LINK.test(fixed(text)) || (field === 'body' && /<(?:a|img)\b/.test(body)),
  );
  return found.map(([field]) =>
    error(
      field,
      'NOT_ALLOWED',
      `${field} can't contain links or images, because people who didn't sign up may get this email.`,
    ),
  );
}

const error = (field: string, code: string, message: string): FieldError => ({ field, error: code, message });
