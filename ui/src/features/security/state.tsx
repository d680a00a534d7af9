import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { cn } from '@/lib/cn';

export function State({ on }: { on: boolean }) {
  const t = useTexts(security);
  return (
    <span
      className={cn(
        'inline-flex flex-none items-center rounded-xs px-2.5 py-1 text-sm',
        on ? 'bg-status-done-tint text-status-done' : 'bg-secondary',
      )}
    >
      {t(on ? 'onState' : 'offState')}
    </span>
  );
}
