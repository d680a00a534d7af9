import type { ComponentProps } from 'react';
import { Button } from '@/components/ui/button';
import { type Translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { usd } from '@/lib/money';
import type { Action, DealActions } from './actions';
import type { DealView } from './deal';

/** The verb and the exact amount (SPEC's words; who made the offer has nothing to accept). */
export function actionLabel(t: Translate<typeof deals>, action: Action, { mine, price }: DealView): string {
  if (action === 'pay') return t(mine ? 'act.activate' : 'act.accept', { sum: usd(price) });
  if (action === 'release') return t('act.release', { sum: usd(price) });
  if (action === 'deliver') return t('act.deliver');
  return t(mine ? 'act.withdraw' : 'act.decline');
}

type Props = Pick<ComponentProps<typeof Button>, 'variant' | 'wide' | 'size'> & {
  action: Action;
  view: DealView;
  actions: DealActions;
  /** On a phone it is in the bar, and not here. */
  primary?: boolean;
};

/** Opens the question of an action. Busy while it is under way; while another is, disabled. */
export function ActionButton({ action, view, actions, primary = false, ...look }: Props) {
  const t = useTexts(deals);
  const c = useTexts(common);
  const busy = actions.busy[action];
  const moves = action === 'pay' || action === 'release';
  return (
    <Button
      {...look}
      className={cn(primary && 'inbar')}
      busy={busy}
      busyText={moves ? c('processing') : c('sending')}
      disabled={actions.anyBusy && !busy}
      onClick={() => actions.ask(action)}
    >
      {actionLabel(t, action, view)}
    </Button>
  );
}
