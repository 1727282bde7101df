import { PageFrame } from '../../parts/page.tsx';
import { t } from '../../text/index.ts';
import { ImportsAndExports } from './overview.tsx';

export default function Page() {
  return (
    <PageFrame title={t('imports.title')}>
      <ImportsAndExports />
    </PageFrame>
  );
}
