import { WifiOff } from 'lucide-react';
import { Note } from '@/components/khata/note';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';
import { useOnline } from '@/lib/online';

export function OfflineBanner() {
  const t = useTexts(shell);
  const online = useOnline();
  return (
    <div role="status" aria-live="polite">
      {online ? null : (
        <Note kind="info" icon={<WifiOff aria-hidden="true" />} banner>
          {t('offline')}
        </Note>
      )}
    </div>
  );
}
