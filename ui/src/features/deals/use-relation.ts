import type { Deal } from '@/api/contract';
import { sideOf } from '@/entities/deal/rules';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';

/** The other party's relation to the user, to follow their name: "sells to you". */
export function useRelation(): (deal: Deal) => string {
  const t = useTexts(deals);
  const me = useMe();
  return (deal) => {
    const done = deal.status === 'Completed';
    if (sideOf(deal, me._id) === 'buyer') return t(done ? 'soldToYou' : 'sellsToYou');
    return t(done ? 'boughtFromYou' : 'buysFromYou');
  };
}
