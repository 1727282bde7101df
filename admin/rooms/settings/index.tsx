import { PageFrame } from '../../parts/page.tsx';
import { t } from '../../text/index.ts';

export default function Page() {
  return <PageFrame title={t('settings.title')}>{null}</PageFrame>;
}
