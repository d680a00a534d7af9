import { Skeleton } from '@/components/ui/skeleton';
import '@/components/post-card.css';

const CARDS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The shape of a page of cards while they are on their way. */
export function CardsSkeleton() {
  return (
    <div data-slot="cards-skeleton" className="posts" aria-hidden="true">
      {CARDS.map((card) => (
        <div key={card} className="post">
          <div className="postsk">
            <span className="post__pic sk" />
            <span className="stack g2">
              <Skeleton width="40%" />
              <Skeleton width="90%" height={18} />
              <Skeleton width="34%" />
              <Skeleton width="56%" height={24} />
            </span>
          </div>
        </div>
      ))}
    </div>
  );
}
