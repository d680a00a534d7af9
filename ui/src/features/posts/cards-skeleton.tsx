import { Skeleton } from '@/components/ui/skeleton';
import { PostFrame, PostGrid, PostPlace } from '@/entities/post/post-card';

const CARDS = [0, 1, 2, 3, 4, 5, 6, 7];

export function CardsSkeleton({ className }: { className?: string }) {
  return (
    <PostGrid data-slot="cards-skeleton" className={className} aria-hidden="true">
      {CARDS.map((card) => (
        <PostPlace key={card}>
          <PostFrame className="animate-pulse rounded-xs">
            <span className="grid min-w-0 content-start gap-2">
              <Skeleton className="w-2/5" />
              <Skeleton className="h-4.5 w-[90%]" />
              <Skeleton className="w-[34%]" />
              <Skeleton className="h-6 w-[56%]" />
            </span>
          </PostFrame>
        </PostPlace>
      ))}
    </PostGrid>
  );
}
