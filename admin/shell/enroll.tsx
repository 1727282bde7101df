/** Shown instead of a business that requires a second factor the user doesn't have yet. */
import { PageFrame } from '../parts/page.tsx';
import { DateOnly } from '../parts/show.tsx';
import { t } from '../text/index.ts';
import { href } from './router.ts';
import { business, requiredFrom } from './session.ts';

export const isWithheld = () => requiredFrom.value !== null && requiredFrom.value * 1000 <= Date.now();

export const EnrollPage = () => (
  <PageFrame title={t('security.wall')} narrow>
    <div class="sheet">
      <p>{t('security.wallText', { business: business.value?.name ?? '' })}</p>
      <p>{t('security.wallHow')}</p>
      <a class="button" href={href('/account/security')}>
        {t('security.setUp')}
      </a>
    </div>
  </PageFrame>
);

/** During the grace period. */
export function EnrollBanner() {
  if (requiredFrom.value === null || isWithheld()) return null;
  return (
    <p class="banner" role="status">
      {`${t('security.soon', { business: business.value?.name ?? '' })} `}
      <DateOnly at={requiredFrom.value} />
      {'. '}
      <a href={href('/account/security')}>{t('security.setUp')}</a>
    </p>
  );
}
