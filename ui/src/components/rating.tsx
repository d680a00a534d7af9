import { Star } from 'lucide-react';
import { useTexts } from '@/i18n';
import { profile } from '@/i18n/en/profile';
import { cn } from '@/lib/cn';

const STARS = [1, 2, 3, 4, 5] as const;

export function Rating({ value }: { value: number }) {
  const t = useTexts(profile);
  return (
    <span className="inline-flex gap-px align-[-1px]" role="img" aria-label={t('stars', { count: value })}>
      {STARS.map((star) => (
        <Star key={star} className={cn('size-3.5 stroke-star', star <= value && 'fill-star')} aria-hidden="true" />
      ))}
    </span>
  );
}
