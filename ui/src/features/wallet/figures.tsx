import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { balance as words } from '@/i18n/en/balance';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { aboutBdt, bdt, ceilRate, centsFromWire, floorRate, toPoisha, usd } from '@/lib/money';
import { rateQuery } from '@/lib/queries';
import { walletQuery } from '@/lib/wallet';
import { useLoadFailure } from './use-load-failure';

/** The taka of one dollar, to be shown: the two rates are whole taka. */
function oneDollar(whole: number): string {
  return bdt(toPoisha(100, whole));
}

function Estimate({ cents }: { cents: number }) {
  const t = useTexts(wallet);
  const c = useTexts(common);
  const rate = useQuery(rateQuery);
  useLoadFailure(rate, t('rateFailed'));
  if (rate.isLoadingError) {
    return (
      <p className="bdt row g2">
        {t('rateFailed')}
        <button type="button" className="link" onClick={() => void rate.refetch()}>
          {c('retry')}
        </button>
      </p>
    );
  }
  if (!rate.data) return <Skeleton width={220} className="mt-2" />;
  const whole = floorRate(rate.data.usdToBdt);
  return <p className="bdt">{t('atRate', { taka: aboutBdt(toPoisha(cents, whole)), rate: oneDollar(whole) })}</p>;
}

function Amount() {
  const t = useTexts(wallet);
  const b = useTexts(words);
  const c = useTexts(common);
  const balance = useQuery(walletQuery);
  useLoadFailure(balance, b('failed'));
  if (balance.isLoadingError) {
    return (
      <>
        <p className="money balmoney">{t('none')}</p>
        <p className="rust t14 row g2">
          {b('failed')}
          <button type="button" className="link" onClick={() => void balance.refetch()}>
            {c('retry')}
          </button>
        </p>
      </>
    );
  }
  if (!balance.data) return <Skeleton width={260} height={72} className="mt-2" />;
  const cents = centsFromWire(balance.data.wallet);
  return (
    <>
      <p data-slot="balance" className="money balmoney" aria-live="polite">
        {usd(cents)}
      </p>
      <Estimate cents={cents} />
    </>
  );
}

/** The balance in large figures, its worth in taka, and the two ways money moves. */
export function BalanceHead() {
  const t = useTexts(wallet);
  return (
    <div className="balhead">
      <div>
        <h1 className="m b">{t('yourBalance')}</h1>
        <Amount />
      </div>
      <div className="row g2 wrapx">
        <Button variant="seal" asChild>
          <Link to="/deposit" state={{ actionType: 'deposit' }}>
            {t('deposit')}
          </Link>
        </Button>
        <Button variant="line" className="tall" asChild>
          <Link to="/withdraw" state={{ actionType: 'withdraw' }}>
            {t('withdraw')}
          </Link>
        </Button>
      </div>
    </div>
  );
}

/** What is not in the balance, and the rates it is counted at. */
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
    <dl className="baltiles">
      {tiles.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="money">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
