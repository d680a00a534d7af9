import { PostFrame, PostGrid, PostPlace } from '@/components/post-card';
import { Skeleton } from '@/components/ui/skeleton';

const CARDS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The shape of a page of cards while they are on their way. */
export function CardsSkeleton({ className }: { className?: string }) {
  return (
    <PostGrid data-slot="cards-skeleton" className={className} aria-hidden="true">
      {CARDS.map((card) => (
        <PostPlace key={card}>
          <PostFrame className="sk h-auto">
            <span className="grid min-w-0 content-start gap-2">
              <Skeleton width="40%" />
              <Skeleton width="90%" height={18} />
              <Skeleton width="34%" />
              <Skeleton width="56%" height={24} />
            </span>
          </PostFrame>
        </PostPlace>
      ))}
    </PostGrid>
  );
}
