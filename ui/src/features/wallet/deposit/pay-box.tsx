import { useQuery } from '@tanstack/react-query';
import type { PaymentMethod } from '@/api/contract';
import { CopyButton } from '@/components/copy-button';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { groupedPhone, plainTaka } from '@/entities/wallet/mobile-money';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { bdt, localDigits, type Poisha } from '@/lib/money';
import { receiversQuery } from '../queries';
import { METHOD, MethodFace } from '../request/method-tile';

type CopiedProps = { shown: string; value: string; label: string; done: string };

function Copied({ shown, ...copied }: CopiedProps) {
  const t = useTexts(wallet);
  return (
    <>
      <b className="font-display text-xl leading-[1.2] font-semibold tracking-[-0.01em] whitespace-nowrap max-[400px]:text-lg">
        {shown}
      </b>
      <CopyButton {...copied}>{t('copy')}</CopyButton>
    </>
  );
}

function NumberRow({ method }: { method: PaymentMethod }) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const receivers = useQuery(receiversQuery);
  if (receivers.isLoadingError) {
    return (
      <p className="col-span-full text-sm text-destructive">
        {t('deposit.numberFailed')}{' '}
        <Button variant="link" onClick={() => void receivers.refetch()}>
          {tCommon('retry')}
        </Button>
      </p>
    );
  }
  if (!receivers.data) return <Skeleton className="col-span-full h-11" />;
  const number = receivers.data.find((receiver) => receiver.paymentMethod === method)?.number;
  if (!number) return <p className="col-span-full text-sm text-destructive">{t('deposit.noNumber')}</p>;
  return (
    <>
      <span className="text-muted-foreground">{t('number')}</span>
      <Copied shown={localDigits(groupedPhone(number))} value={number} label={t('copyNumber')} done={t('numberCopied')} />
    </>
  );
}

/** The receiver and the exact amount, to copy. `poisha` is null without an amount or a rate. */
export function PayBox({ method, poisha }: { method: PaymentMethod; poisha: Poisha | null }) {
  const t = useTexts(wallet);
  return (
    <div className="border border-border-strong">
      <div className="border-b">
        <span className={cn(METHOD, 'min-h-15')}>
          <MethodFace method={method}>{t('deposit.sendTo')}</MethodFace>
        </span>
      </div>
      <div className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3.5 gap-y-1 px-3.5 py-2.5 max-[400px]:gap-x-2.5 max-[400px]:px-3">
        <NumberRow method={method} />
        <span className="text-muted-foreground">{t('deposit.exactly')}</span>
        {poisha === null ? (
          <span className="col-[2/-1] flex min-h-11 items-center text-sm text-muted-foreground">{t('deposit.exactlyFirst')}</span>
        ) : (
          <Copied shown={bdt(poisha)} value={plainTaka(poisha)} label={t('copyTaka')} done={t('takaCopied')} />
        )}
      </div>
    </div>
  );
}
