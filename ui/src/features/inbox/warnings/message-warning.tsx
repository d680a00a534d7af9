import { TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { chatSafety } from '@/i18n/en/chat-safety';
import { dismiss, isDismissed } from './dismissed';
import type { Risk } from './risk';

export function MessageWarning({ risk, message, reader }: { risk: Risk; message: string; reader: string }) {
  const t = useTexts(chatSafety);
  const [hidden, setHidden] = useState(() => isDismissed(reader, message));
  if (hidden) return null;
  return (
    <div
      role="note"
      data-slot="message-warning"
      className="flex items-start gap-2 border-l-2 border-status-pending bg-status-pending-tint pl-3 text-sm/snug"
    >
      <TriangleAlert className="mt-3 size-4 flex-none text-status-pending" aria-hidden="true" />
      <p className="min-w-0 flex-1 py-2.5">
        <b className="font-semibold">{t(`risk.${risk}`)}</b> {t('advice')}
      </p>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('dismiss')}
        onClick={() => {
          dismiss(reader, message);
          setHidden(true);
        }}
      >
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}
