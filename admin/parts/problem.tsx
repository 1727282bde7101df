/** Shows an error, how to fix it, and the request ID for support. With `fields`, lists all invalid fields by their labels. */
import { type ErrorDetail, isSoukError } from '@souk/client';
import { href } from '../shell/router.ts';
import { fieldLabel } from '../text/field-label.ts';
import { errorText, t } from '../text/index.ts';

type Props = {
  error: unknown;
  retry?: (() => void) | undefined;
  fields?: boolean;
  /** Labels of the form's fields. */
  names?: Partial<Record<string, string>>;
};

const MAX_LISTED = 10;

export function Problem({ error, retry, fields = false, names }: Props) {
  if (!error) return null;
  const known = isSoukError(error) ? error : null;
  const isUnreachable = known?.status === 0 || known?.status === 503;
  // Failed loads are retried automatically, and the banner says so.
  if (isUnreachable && retry) return null;
  const listed = !isUnreachable && fields ? (known?.details ?? []) : [];
  const text = isUnreachable
    ? t('parts.unreachable')
    : listed.length > 0
      ? t('parts.checkFields', { count: listed.length })
      : error instanceof Error
        ? errorSentence(error)
        : t('parts.broken');
  return (
    <div class="notice bad" role="alert">
      <p>{text}</p>
      {listed.length > 0 && (
        <ul>
          {listed.slice(0, MAX_LISTED).map((detail) => (
            <li key={detail.field}>{labeled(detail, names)}</li>
          ))}
        </ul>
      )}
      {known?.requestId && known.status >= 500 && !isUnreachable && (
        <p class="small">{t('parts.request', { id: known.requestId })}</p>
      )}
      {retry && known?.status === 404 && <Gone />}
      {retry && known?.status !== 404 && (
        <button type="button" class="quiet" onClick={retry}>
          {t('parts.retry')}
        </button>
      )}
    </div>
  );
}

/** For links to deleted records, where a retry can't help. */
function Gone() {
  const back = document.querySelector<HTMLAnchorElement>('main a[data-back]');
  return (
    <>
      <p>{t('shell.notFoundText')}</p>
      <a class="button quiet" href={back?.href ?? href('/')}>
        {back ? t('parts.back') : t('shell.toHome')}
      </a>
    </>
  );
}

/** The error in one sentence, with the label of the first invalid field. */
export function errorSentence(error: Error): string {
  if (!isSoukError(error)) return error.message;
  const [detail] = error.details;
  return detail ? labeled(detail) : errorText(error);
}

const labeled = (detail: ErrorDetail, names?: Props['names']) =>
  detail.field ? `${fieldLabel(detail.field, names)}: ${messageOf(detail)}` : messageOf(detail);

/** The message for one field, without the field's path at its start. Basis points become percentages. */
export function messageOf(detail: ErrorDetail): string {
  const text = errorText(detail);
  const [start = '', ...rest] = text.split(' ');
  const isPath = detail.field === start || detail.field.endsWith(`.${start}`);
  if (!start || !isPath || rest.length === 0) return text;
  const message = /bps$/i.test(detail.field) ? rest.join(' ').replace(/\d+/g, percentOf) : rest.join(' ');
  return message.charAt(0).toUpperCase() + message.slice(1);
}

const percentOf = (bps: string) => `${Number(bps) / 100}%`;

/** The message for one field of a form. */
export function problemOf(error: unknown, field: string): string | undefined {
  const detail = isSoukError(error) ? error.detail(field) : undefined;
  return detail && messageOf(detail);
}

/** The message for the first field whose path starts like this, such as `configs.shippingMethods[0].zones`. */
export function problemWithin(error: unknown, path: string): string | undefined {
  const isWithin = (field: string) => field.startsWith(path) && /^$|^[.[]/.test(field.slice(path.length));
  const detail = isSoukError(error) ? error.details.find(({ field }) => isWithin(field)) : undefined;
  return detail && messageOf(detail);
}
