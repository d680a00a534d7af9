import type { Deal } from '@/api/contract';
import { useTexts } from '@/i18n';
import { dealLine } from '@/i18n/en/deal-line';
import { isOwnMove, type Move, mayLeave, moveOf, otherOf, sideOf } from '@/lib/deal';
import { useMe } from '@/lib/queries';
import { useNow } from '@/lib/time';

export type DealLine = {
  /** The other's. */
  name: string;
  move: Move;
  /** The buyer may leave by now, which comes before any move. */
  leavable: boolean;
  next: string;
  /** Whether `next` is one's own to do. */
  own: boolean;
};

/** A deal in one line, as the signed-in user sees it: who it is with, what comes next, and whether that is his own move. */
export function useDealLine(): (deal: Deal) => DealLine {
  const t = useTexts(dealLine);
  const me = useMe();
  const now = useNow();
  return (deal) => {
    const side = sideOf(deal, me._id);
    const { username: name } = otherOf(deal, side);
    const move = moveOf(deal, side);
    const leavable = mayLeave(deal, side, now);
    return {
      name,
      move,
      leavable,
      next: leavable ? t('next.leave') : t(`next.${move}`, { name }),
      own: leavable || isOwnMove(move),
    };
  };
}
