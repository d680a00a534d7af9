import { ShieldAlert } from 'lucide-react';
import { useTexts } from '@/i18n';
import { chatSafety } from '@/i18n/en/chat-safety';
import { COLUMN } from '../bubble';

/** Shown until both have written: what Amanat never asks for (docs/rules.md#first-contact). */
export function FirstContact() {
  const t = useTexts(chatSafety);
  return (
    <div role="note" data-slot="first-contact" className="border-b bg-status-pending-tint">
      <p className={`${COLUMN} flex items-start gap-2 py-2.5 text-sm/snug`}>
        <ShieldAlert className="mt-px size-4 flex-none text-status-pending" aria-hidden="true" />
        {t('first')}
      </p>
    </div>
  );
}
