/** What went wrong, what to do about it, and the request's id to quote. Errors that a form shows at its fields are only summed up. */
import { isSoukError } from '@souk/client';
import { href } from '../shell/router.ts';
import { said, t } from '../text/index.ts';

type Props = { error: unknown; retry?: (() => void) | undefined; fields?: boolean };

export function Problem({ error, retry, fields = false }: Props) {
  if (!error) return null;
  const known = isSoukError(error) ? error : null;
  const isAway = known?.status === 0 || known?.status === 503;
  // What is loaded is asked for again by itself, and the banner says so.
  if (isAway && retry) return null;
  const text = isAway
    ? t('parts.away')
    : fields && known?.details.length
      ? `${t('parts.checkFields')} ${said(known.details[0]!)}`
      : error instanceof Error
        ? saidOf(error)
        : t('parts.broken');
  return (
    <div class="notice bad" role="alert">
      <p>{text}</p>
      {known?.requestId && known.status >= 500 && !isAway && (
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

/** An old link to what is deleted: to try again would not help. */
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

/** What went wrong, in one sentence. With the field that it is about, where the sentence does not name it. */
export function saidOf(error: Error): string {
  if (!isSoukError(error)) return error.message;
  const [detail] = error.details;
  if (!detail) return said(error);
  const text = said(detail);
  return text === detail.message ? error.message : `${text}${detail.field ? ` (${detail.field})` : ''}`;
}

/** What the service says about one field of a form, without the name that the field has in the interface. */
export function problemOf(error: unknown, field: string): string | undefined {
  const detail = isSoukError(error) ? error.detail(field) : undefined;
  if (!detail) return undefined;
  const text = said(detail);
  if (!text.startsWith(`${detail.field} `)) return text;
  const rest = text.slice(detail.field.length + 1);
  return rest[0]!.toUpperCase() + rest.slice(1);
}
