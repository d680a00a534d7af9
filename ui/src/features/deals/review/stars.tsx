import { Star } from 'lucide-react';
import { useId } from 'react';
import { FieldLegend, FieldSet } from '@/components/ui/field';
import { useTexts } from '@/i18n';
import { review } from '@/i18n/en/review';
import { cn } from '@/lib/cn';

const RATINGS = [1, 2, 3, 4, 5] as const;

/** Radio buttons, so that arrow keys choose and screen readers say "4 stars, Good". "" is none. */
export function Stars({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const t = useTexts(review);
  const name = useId();
  const chosen = RATINGS.find((rating) => String(rating) === value);
  return (
    <FieldSet>
      <FieldLegend>{t('rating')}</FieldLegend>
      <div className="-ms-2 flex items-center gap-0.5">
        {RATINGS.map((rating) => (
          <label
            key={rating}
            className={cn(
              'relative grid size-12 cursor-pointer place-items-center rounded-md text-subtle-foreground focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-pen hover:bg-muted',
              chosen !== undefined && rating <= chosen && 'text-foreground *:fill-current',
            )}
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={rating}
              checked={rating === chosen}
              onChange={() => onValue(String(rating))}
              aria-label={`${t('stars', { count: rating })}, ${t(`star.${rating}`)}`}
            />
            <Star className="size-7" aria-hidden="true" />
          </label>
        ))}
        <span className="ms-2 text-sm text-muted-foreground max-xs:hidden" aria-hidden="true">
          {chosen === undefined ? null : t(`star.${chosen}`)}
        </span>
      </div>
    </FieldSet>
  );
}
