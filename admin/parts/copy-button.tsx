import { t } from '../text/index.ts';
import { toast } from './toast.tsx';

/** Copies text. `label` describes it. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => (
  <button
    type="button"
    class="quiet small"
    aria-label={label}
    onClick={() => navigator.clipboard?.writeText(text).then(() => toast(t('parts.copied')))}
  >
    {t('parts.copy')}
  </button>
);
