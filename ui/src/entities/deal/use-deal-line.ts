import type { Deal, Party } from '@/api/contract';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { dealLine } from '@/i18n/en/deal-line';
import { useNow } from '@/lib/server-clock';
import { disputeTurnOf, isOwnTurn, type Next, nextOf, otherOf, sideOf } from './rules';
import { titleOf } from './title';

/** The title of a deal, or a placeholder without a description. */
export function useDealTitle(): (deal: Pick<Deal, 'description'>) => string {
  const t = useTexts(dealLine);
  return ({ description }) => titleOf(description) || t('untitled');
}

type DealLine = {
  other: Party;
  next: Next;
  /** The text of `next`, or of what an open dispute waits for. */
  text: string;
  own: boolean;
};

/** A deal in one line for the signed-in user: the partner and what comes next. */
export function useDealLine(): (deal: Deal) => DealLine {
  const t = useTexts(dealLine);
  const me = useMe();
  const now = useNow();
  return (deal) => {
    const side = sideOf(deal, me._id);
    const other = otherOf(deal, side);
    const next = nextOf(deal, side, now);
    if (deal.openDispute) {
      const turn = disputeTurnOf(deal, side);
      return { other, next, text: t(`dispute.${turn ?? 'wait'}`, { name: other.username }), own: turn !== null };
    }
    return { other, next, text: t(`next.${next}`, { name: other.username }), own: isOwnTurn(next) };
  };
}
