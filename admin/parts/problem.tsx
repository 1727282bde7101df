/** What went wrong, what to do about it, and the request's id to quote. Errors that a form shows at its fields are only summed up. */
import { isSoukError } from '@souk/client';
import { t } from '../text/index.ts';

type Props = { error: unknown; retry?: (() => void) | undefined; fields?: boolean };

export function Problem({ error, retry, fields = false }: Props) {
  if (!error) return null;
  const known = isSoukError(error) ? error : null;
  const isAway = known?.status === 0 || known?.status === 503;
  const text = isAway
    ? t('parts.away')
    : fields && known?.details.length
      ? `${t('parts.checkFields')} ${known.details[0]!.message}`
      : (known?.message ?? t('parts.broken'));
  return (
    <div class="notice bad" role="alert">
      <p>{text}</p>
      {known?.requestId && known.status >= 500 && !isAway && (
        <p class="small">{t('parts.request', { id: known.requestId })}</p>
      )}
      {retry && !isAway && (
        <button type="button" class="quiet" onClick={retry}>
          {t('parts.retry')}
        </button>
      )}
    </div>
  );
}

/** What the service says about one field of a form. */
export const problemOf = (error: unknown, field: string) =>
  isSoukError(error) ? error.detail(field)?.message : undefined;
