import type { ComponentProps } from 'react';
import { PendingButton } from '@/components/pending-button';
import { isOwnMove } from '@/entities/deal/rules';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { trouble } from '@/i18n/en/trouble';
import { cn } from '@/lib/cn';
import { usd } from '@/lib/money';
import type { DealView } from '../deal-view';
import { type Action, movesMoney } from './allowed-actions';
import type { DealActions } from './use-deal-actions';

/** The verb and the exact amount (in fixed words; whoever made the offer has nothing to accept). */
export function useActionLabel({ mine, price }: DealView): (action: Action) => string {
  const t = useTexts(deals);
  const tt = useTexts(trouble);
  return (action) => {
    switch (action) {
      case 'agree':
        return t('act.agree');
      case 'giveBack':
        return t('act.decline');
      case 'pay':
        return t(mine ? 'act.activate' : 'act.accept', { sum: usd(price) });
      case 'release':
        return t('act.release', { sum: usd(price) });
      case 'deliver':
        return t('act.deliver');
      case 'remove':
        return t(mine ? 'act.withdraw' : 'act.decline');
      case 'leave':
        return tt('act.leave', { sum: usd(price) });
      default:
        return tt(`act.${action}`);
    }
  };
}

type Props = Pick<ComponentProps<typeof PendingButton>, 'variant' | 'size' | 'className'> & {
  action: Action;
  view: DealView;
  actions: DealActions;
  /** On a phone it is in the bar where there is one, and not here. */
  primary?: boolean;
};

/** Opens the question of an action. Busy while it is under way; while another is, disabled. */
export function ActionButton({ action, view, actions, primary = false, className, ...look }: Props) {
  const c = useTexts(common);
  const label = useActionLabel(view);
  const busy = actions.busy[action];
  const inBar = primary && isOwnMove(view.next);
  return (
    <PendingButton
      {...look}
      data-in-bar={inBar || undefined}
      className={cn(inBar && 'max-lg:hidden', className)}
      pending={busy}
      pendingText={movesMoney(action) ? c('processing') : c('sending')}
      disabled={actions.anyBusy && !busy}
      onClick={() => actions.ask(action)}
    >
      {label(action)}
    </PendingButton>
  );
}
