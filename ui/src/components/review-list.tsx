import { Link } from '@tanstack/react-router';
import type { Review } from '@/api/contract';
import { Avatar } from '@/components/ui/avatar';
import { formatTime } from '@/lib/time';
import { Rating } from './rating';
import './rating.css';

/** Who wrote, how many stars, when, and the words. */
export function ReviewList({ reviews }: { reviews: readonly Review[] }) {
  return (
    <ul className="reviews">
      {reviews.map(({ _id, reviewer, rating, comment, createdAt }) => (
        <li key={_id}>
          <Avatar name={reviewer.username} picture={reviewer.profilePic} size="s" />
          <div className="fill">
            <p className="reviews__by">
              <Link to="/profile/$username" params={{ username: reviewer.username }} className="b">
                {reviewer.username}
              </Link>
              <Rating value={rating} />
              <time className="m t14" dateTime={createdAt}>
                {formatTime(createdAt, 'day')}
              </time>
            </p>
            <p className="reviews__words">{comment}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
