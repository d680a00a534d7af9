import type { Deal } from '@/api/contract';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { useMe } from '@/lib/queries';
import { useNow } from '@/lib/time';
import { isOwnMove, type Move, mayLeave, moveOf, otherOf, sideOf } from './deal';

export type DealLine = { name: string; relation: string; next: string; own: boolean };

/** Who it is with, what comes next, and whether that is one's own move. */
export function useDealLine(): (deal: Deal) => DealLine {
  const t = useTexts(deals);
  const tt = useTexts(trouble);
  const me = useMe();
  const now = useNow();
  const next = (move: Move, name: string) =>
    move === 'answer' || move === 'waitAnswer' ? tt(`next.${move}`, { name }) : t(`next.${move}`, { name });
  return (deal) => {
    const side = sideOf(deal, me);
    const { username: name } = otherOf(deal, side);
    const move = moveOf(deal, side);
    const leavable = mayLeave(deal, side, now);
    const done = deal.status === 'Completed';
    return {
      name,
      relation: side === 'buyer' ? t(done ? 'soldToYou' : 'sellsToYou') : t(done ? 'boughtFromYou' : 'buysFromYou'),
      next: leavable ? tt('next.leave') : next(move, name),
      own: leavable || isOwnMove(move),
    };
  };
}
