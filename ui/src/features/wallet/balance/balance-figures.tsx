import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MONEY, TAKA } from '@/components/classes';
import { SealMark } from '@/components/seal-mark';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { CheckingLine } from '@/entities/wallet/checking-line';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { balance as words } from '@/i18n/en/balance';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { aboutBdt, bdt, ceilRate, centsFromWire, floorRate, toPoisha, usd } from '@/lib/money';
import { useLoadFailure } from '../use-load-failure';

function oneDollar(whole: number): string {
  return bdt(toPoisha(100, whole));
}

function Estimate({ cents }: { cents: number }) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const rate = useQuery(rateQuery);
  useLoadFailure(rate, t('rateFailed'));
  if (rate.isLoadingError) {
    return (
      <p className={cn(TAKA, 'mt-1 flex min-w-0 items-center gap-3')}>
        {t('rateFailed')}
        <Button variant="link" onClick={() => void rate.refetch()}>
          {tCommon('retry')}
        </Button>
      </p>
    );
  }
  if (!rate.data) return <Skeleton className="mt-2 w-55" />;
  const whole = floorRate(rate.data.usdToBdt);
  return <p className={cn(TAKA, 'mt-1')}>{t('atRate', { taka: aboutBdt(toPoisha(cents, whole)), rate: oneDollar(whole) })}</p>;
}

const SUM = cn('text-[clamp(3rem,2.4rem+3vw,4.5rem)]', MONEY, 'tracking-(--tracking-display-2xl)');

function Amount() {
  const t = useTexts(wallet);
  const tBalance = useTexts(words);
  const tCommon = useTexts(common);
  const balance = useQuery(walletQuery);
  useLoadFailure(balance, tBalance('failed'));
  if (balance.isLoadingError) {
    return (
      <>
        <p className={SUM}>{t('none')}</p>
        <p className="flex min-w-0 items-center gap-3 text-sm text-destructive">
          {tBalance('failed')}
          <Button variant="link" onClick={() => void balance.refetch()}>
            {tCommon('retry')}
          </Button>
        </p>
      </>
    );
  }
  if (!balance.data) return <Skeleton className="mt-2 h-18 w-65" />;
  const cents = centsFromWire(balance.data.wallet);
  return (
    <>
      <p data-slot="balance" className={SUM} aria-live="polite">
        {usd(cents)}
      </p>
      <Estimate cents={cents} />
    </>
  );
}

export function BalanceHead() {
  const t = useTexts(wallet);
  return (
    <div className="mb-8 grid gap-5 md:grid-cols-[1fr_auto] md:items-end">
      <div>
        <h1 className="font-semibold text-muted-foreground">{t('yourBalance')}</h1>
        <Amount />
        <CheckingLine />
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        <Button variant="seal" asChild>
          <Link to="/deposit" state={{ actionType: 'deposit' }}>
            <SealMark large />
            {t('deposit')}
          </Link>
        </Button>
        <Button variant="outline" className="min-h-13" asChild>
          <Link to="/withdraw" state={{ actionType: 'withdraw' }}>
            {t('withdraw')}
          </Link>
        </Button>
      </div>
    </div>
  );
}

export function BalanceTiles() {
  const t = useTexts(wallet);
  const { data: balance } = useQuery(walletQuery);
  const { data: rate } = useQuery(rateQuery);
  const money = (dollars: number | undefined) => (dollars === undefined ? t('none') : usd(centsFromWire(dollars)));
  const tiles = [
    [t('inTrust'), money(balance?.inEscrow)],
    [t('onTheWay'), money(balance?.pendingWithdrawal)],
    [t('rateDeposits'), rate ? oneDollar(ceilRate(rate.usdToBdt)) : t('none')],
    [t('rateWithdrawals'), rate ? oneDollar(floorRate(rate.usdToBdt)) : t('none')],
  ] as const;
  return (
    <dl className="grid grid-cols-[1fr_1fr] gap-x-3 gap-y-4 md:grid-cols-[repeat(4,1fr)]">
      {tiles.map(([label, value]) => (
        <div key={label} className="grid content-between border-t border-border-strong pt-2">
          <dt className="text-sm/[1.35] text-muted-foreground">{label}</dt>
          <dd className={`${MONEY} mt-1 text-[24px]`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
