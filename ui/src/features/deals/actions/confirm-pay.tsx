import { AlertDialogCancel } from '@/components/ui/alert-dialog';
import { Strip } from '@/entities/deal/khata/strip';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { deals } from '@/i18n/en/deals';
import { centsFromWire, usd } from '@/lib/money';
import { LimitNote } from '../limit-note';
import { ConfirmButtons, ConfirmContent, ConfirmFooter, type ConfirmProps } from './confirm-dialog';
import { DepositLink, PaySums } from './pay-panel';
import { useBalanceAfter } from './use-balance-after';

/** Confirms a payment with the balance before and after, or leads to a deposit. */
export function ConfirmPay({ view, actions }: ConfirmProps) {
  const t = useTexts(deals);
  const tCommon = useTexts(common);
  const balance = useBalanceAfter(view.price);
  const sum = usd(view.price);
  const known = balance.state === 'known' ? balance.missing : 0;
  // The server's answer may be newer than this balance.
  const missing = known > 0 ? known : centsFromWire(actions.shortfall ?? 0);
  if (missing > 0 && !actions.isBusy('pay')) {
    return (
      <ConfirmContent title={t('ask.short')} text={t('ask.shortText', { sum })}>
        <PaySums balance={balance} price={view.price} className="mt-4" />
        <ConfirmFooter>
          <DepositLink missing={missing} view={view} />
          <AlertDialogCancel>{tCommon('close')}</AlertDialogCancel>
        </ConfirmFooter>
      </ConfirmContent>
    );
  }
  return (
    <ConfirmContent title={t('ask.pay', { sum })} text={t('ask.payText', { name: view.other.username })}>
      <PaySums balance={balance} price={view.price} className="mt-4" />
      <Strip holder="amanat" className={balance.state === 'failed' ? 'mt-4' : 'mt-2'}>
        {sum}
      </Strip>
      <LimitNote error={actions.limit} className="mt-4" />
      <ConfirmButtons action="pay" view={view} actions={actions} no={t('act.notYet')} />
    </ConfirmContent>
  );
}
