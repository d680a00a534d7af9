import { WifiOff } from 'lucide-react';
import { Note } from '@/components/note';
import { useOnline } from '@/hooks/use-browser';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';

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
