import type { ComponentProps } from 'react';
import { PendingButton } from '@/components/pending-button';
import { isCountered, isOwnMove } from '@/entities/deal/rules';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { cn } from '@/lib/cn';
import { usd } from '@/lib/money';
import type { DealView } from '../deal-view';
import { type Action, DEAL_ACTIONS } from './deal-actions';
import type { DealActions } from './use-deal-actions';

export function useActionLabel({ deal, mine, price }: DealView): (action: Action) => string {
  const t = useTexts(deals);
  const tTrouble = useTexts(trouble);
  return (action) =>
    DEAL_ACTIONS[action].label({ t, tTrouble, mine, sum: usd(price), agreed: deal.terms > 1, countered: isCountered(deal) });
}

export function usePendingText(action: Action): string {
  const t = useTexts(common);
  return DEAL_ACTIONS[action].movesMoney ? t('processing') : t('sending');
}

type Props = Pick<ComponentProps<typeof PendingButton>, 'variant' | 'size' | 'className'> & {
  action: Action;
  view: DealView;
  actions: DealActions;
  primary?: boolean;
};

export function ActionButton({ action, view, actions, primary = false, className, ...look }: Props) {
  const label = useActionLabel(view);
  const pendingText = usePendingText(action);
  const busy = actions.isBusy(action);
  const inBar = primary && isOwnMove(view.next);
  return (
    <PendingButton
      {...look}
      data-in-bar={inBar || undefined}
      className={cn(inBar && 'max-lg:hidden', className)}
      pending={busy}
      pendingText={pendingText}
      disabled={actions.anyBusy && !busy}
      onClick={() => actions.ask(action)}
    >
      {label(action)}
    </PendingButton>
  );
}
