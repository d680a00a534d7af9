import type { ReactNode } from 'react';
import type { Review } from '@/api/contract';
import { Rating } from '@/components/rating';
import { useTexts } from '@/i18n';
import { user } from '@/i18n/en/user';
import { api, sendList } from '@/lib/api';
import type { DayRange } from '@/lib/period';
import { formatTime } from '@/lib/time';
import { UserAvatar } from './user-avatar';
import { UserLink, UserName } from './user-name';

/** The reviews a user received in a range of days, ten a page. */
export const fetchReviews = (user: string, range: DayRange, page: number, signal: AbortSignal) =>
  sendList(api.GET('/reviews', { params: { query: { user, ...range, page, limit: 10 } }, signal }));

type Props = {
  reviews: readonly Review[];
  act?: (review: Review) => ReactNode;
};

export function ReviewList({ reviews, act }: Props) {
  const t = useTexts(user);
  return (
    <ul>
      {reviews.map((review) => {
        const { _id, reviewer, rating, comment, createdAt } = review;
        return (
          <li key={_id} className="flex gap-3 border-b py-3 wrap-anywhere last:border-b-0">
            <UserAvatar name={reviewer.username} picture={reviewer.profilePic} size="sm" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
                <UserLink user={reviewer} className="font-semibold no-underline hover:underline">
                  <UserName user={reviewer} />
                </UserLink>
                <Rating value={rating} />
                <time className="text-sm text-muted-foreground" dateTime={createdAt}>
                  {formatTime(createdAt, 'day')}
                </time>
              </p>
              {comment === '' ? (
                <p className="text-sm text-muted-foreground">{t('reviewErased')}</p>
              ) : (
                <p className="overflow-clip whitespace-pre-line">{comment}</p>
              )}
            </div>
            {act?.(review)}
          </li>
        );
      })}
    </ul>
  );
}
