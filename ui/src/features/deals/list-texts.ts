import type { Deal } from '@/api/contract';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { useMe } from '@/lib/queries';
import { isOwnMove, moveOf, otherOf, sideOf } from './deal';

export type DealLine = { name: string; relation: string; next: string; own: boolean };

/** Who it is with, what comes next, and whether that is one's own move. */
export function useDealLine(): (deal: Deal) => DealLine {
  const t = useTexts(deals);
  const me = useMe();
  return (deal) => {
    const side = sideOf(deal, me);
    const { username: name } = otherOf(deal, side);
    const move = moveOf(deal, side);
    const done = deal.status === 'Completed';
    return {
      name,
      relation: side === 'buyer' ? t(done ? 'soldToYou' : 'sellsToYou') : t(done ? 'boughtFromYou' : 'buysFromYou'),
      next: t(`next.${move}`, { name }),
      own: isOwnMove(move),
    };
  };
}
