import { Star } from 'lucide-react';
import type { Profile } from '@/api/contract';
import { Facts } from '@/components/section';
import { useTexts } from '@/i18n';
import { profile as catalogue } from '@/i18n/en/profile';
import { localDigits } from '@/lib/money';

type Figures = Pick<Profile, 'successScore' | 'averageRating' | 'reviewCount' | 'partners' | 'volumeBand'>;

/** How somebody's deals went: success score, average rating, with how many people and for how much; or that there is none yet. */
export function PersonFigures({ profile }: { profile: Figures }) {
  const t = useTexts(catalogue);
  const { successScore, averageRating, reviewCount, partners, volumeBand } = profile;
  const rating =
    averageRating === null ? (
      <span className="text-muted-foreground">{t('noRating')}</span>
    ) : (
      <>
        <Star className="size-3.5 fill-star stroke-star align-[-1px]" aria-hidden="true" />{' '}
        <b className="font-semibold">{localDigits(averageRating.toFixed(1))}</b>{' '}
        <span className="text-muted-foreground">{t('ofReviews', { count: reviewCount })}</span>
      </>
    );
  const score =
    successScore === null ? (
      <span className="text-muted-foreground">{t('noScore')}</span>
    ) : (
      <b className="font-semibold">{t('percent', { score: successScore })}</b>
    );
  const trade =
    volumeBand === 'none' ? (
      <span className="text-muted-foreground">{t('volume.none')}</span>
    ) : (
      <span>
        <b className="font-semibold">{t('partners', { count: partners })}</b> · {t(`volume.${volumeBand}`)}
      </span>
    );
  return (
    <Facts
      rows={[
        [t('score'), score],
        [t('rating'), rating],
        [t('trade'), trade],
      ]}
    />
  );
}
