import { useQuery } from '@tanstack/react-query';
import type { PaymentMethod } from '@/api/contract';
import { MethodFace, methodClass } from '@/components/khata/method-tile';
import { CopyButton } from '@/components/ui/copy-button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { groupedPhone, plainTaka } from '@/lib/mobile-money';
import { bdt, localDigits, type Poisha } from '@/lib/money';
import { receiversQuery } from './queries';

function NumberRow({ method }: { method: PaymentMethod }) {
  const t = useTexts(wallet);
  const c = useTexts(common);
  const receivers = useQuery(receiversQuery);
  if (receivers.isLoadingError) {
    return (
      <p className="paybox__wide t14 rust">
        {t('deposit.numberFailed')}{' '}
        <button type="button" className="link" onClick={() => void receivers.refetch()}>
          {c('retry')}
        </button>
      </p>
    );
  }
  if (!receivers.data) return <Skeleton className="paybox__wide" height={44} />;
  const number = receivers.data.find((receiver) => receiver.paymentMethod === method)?.number;
  if (!number) return <p className="paybox__wide t14 rust">{t('deposit.noNumber')}</p>;
  return (
    <>
      <span className="m">{t('number')}</span>
      <b className="paybox__v">{localDigits(groupedPhone(number))}</b>
      <CopyButton value={number} label={t('copyNumber')} done={t('numberCopied')}>
        {t('copy')}
      </CopyButton>
    </>
  );
}

/** Where to send the money and how much exactly, both to be copied. `poisha` is null until there is an amount and a rate. */
export function PayBox({ method, poisha }: { method: PaymentMethod; poisha: Poisha | null }) {
  const t = useTexts(wallet);
  return (
    <div className="paybox">
      <div className="paybox__head">
        <span className={cn('method flat', methodClass(method))}>
          <MethodFace method={method}>{t('deposit.sendTo')}</MethodFace>
        </span>
      </div>
      <div className="paybox__rows">
        <NumberRow method={method} />
        <span className="m">{t('deposit.exactly')}</span>
        {poisha === null ? (
          <span className="paybox__rest m t14">{t('deposit.exactlyFirst')}</span>
        ) : (
          <>
            <b className="paybox__v">{bdt(poisha)}</b>
            <CopyButton value={plainTaka(poisha)} label={t('copyTaka')} done={t('takaCopied')}>
              {t('copy')}
            </CopyButton>
          </>
        )}
      </div>
    </div>
  );
}
