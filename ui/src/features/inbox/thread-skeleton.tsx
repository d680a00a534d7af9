import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { cn } from '@/lib/cn';
import { COLUMN } from './bubble';

const BUBBLES = ['h-11 w-[58%]', 'h-11 w-[34%]', 'ml-auto h-11 w-[46%]', 'h-11 w-[62%]', 'ml-auto h-11 w-2/5'];

export function ThreadSkeleton() {
  const t = useTexts(common);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col" role="status" aria-live="polite">
      <span className="sr-only">{t('loading')}</span>
      <div className={cn(COLUMN, 'mt-auto grid flex-none gap-4 pt-2 pb-5')} aria-hidden="true">
        {BUBBLES.map((className, index) => (
          <Skeleton key={index} className={className} />
        ))}
      </div>
    </div>
  );
}

export function ThreadPending() {
  return (
    <section className="flex min-h-0 min-w-0 flex-col">
      <div className="min-h-16 border-b" />
      <ThreadSkeleton />
    </section>
  );
}
