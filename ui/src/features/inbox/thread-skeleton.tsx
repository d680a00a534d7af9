import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import './thread.css';

const BUBBLES = [
  ['58%', false],
  ['34%', false],
  ['46%', true],
  ['62%', false],
  ['40%', true],
] as const;

/** Bubbles in the place of messages that are on their way. */
export function ThreadSkeleton() {
  const c = useTexts(common);
  return (
    <div className="log" role="status" aria-live="polite">
      <span className="sr">{c('loading')}</span>
      <div className="log__in log__in--wait" aria-hidden="true">
        {BUBBLES.map(([width, mine], index) => (
          <Skeleton key={index} className={mine ? 'ml' : undefined} width={width} height={44} />
        ))}
      </div>
    </div>
  );
}

/** In the place of a conversation of which nothing is known yet. */
export function ThreadPending() {
  return (
    <section className="chat">
      <div className="chat__head" />
      <ThreadSkeleton />
    </section>
  );
}
