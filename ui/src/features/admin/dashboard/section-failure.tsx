import { LoadFailed } from '@/components/load-failed';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { errorText } from '@/lib/errors';

export function SectionFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTexts(common);
  return <LoadFailed error={error} text={t('error', { message: errorText(error) })} onRetry={onRetry} />;
}
