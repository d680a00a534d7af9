import { onlineManager } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Note } from '@/components/khata/note';
import { useTexts } from '@/i18n';
import { shell } from '@/i18n/en/shell';

export function OfflineBanner() {
  const t = useTexts(shell);
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
    () => true,
  );
  return (
    <div role="status">
      {online ? null : (
        <Note kind="info" icon={<WifiOff aria-hidden="true" />} className="banner">
          {t('offline')}
        </Note>
      )}
    </div>
  );
}
