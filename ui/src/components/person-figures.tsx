import { Star } from 'lucide-react';
import type { Profile } from '@/api/contract';
import { Facts } from '@/components/khata/section';
import { useTexts } from '@/i18n';
import { profile as catalogue } from '@/i18n/en/profile';
import { localDigits } from '@/lib/money';
import './rating.css';

type Figures = Pick<Profile, 'successScore' | 'averageRating' | 'reviewCount' | 'partners' | 'volumeBand'>;

/** How somebody's deals went: success score, average rating, with how many people and for how much; or that there is none yet. */
export function PersonFigures({ profile }: { profile: Figures }) {
  const t = useTexts(catalogue);
  const { successScore, averageRating, reviewCount, partners, volumeBand } = profile;
  const rating =
    averageRating === null ? (
      <span className="m">{t('noRating')}</span>
    ) : (
      <>
        <Star className="i14 starfill" aria-hidden="true" /> <b className="b">{localDigits(averageRating.toFixed(1))}</b>{' '}
        <span className="m">{t('ofReviews', { count: reviewCount })}</span>
      </>
    );
  const score =
    successScore === null ? (
      <span className="m">{t('noScore')}</span>
    ) : (
      <b className="b">{t('percent', { score: successScore })}</b>
    );
  const trade =
    volumeBand === 'none' ? (
      <span className="m">{t('volume.none')}</span>
    ) : (
      <span>
        <b className="b">{t('partners', { count: partners })}</b> · {t(`volume.${volumeBand}`)}
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
