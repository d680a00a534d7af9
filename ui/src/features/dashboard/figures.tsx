import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Deal } from '@/api/contract';
import { HANGING, MONEY, TAKA } from '@/components/classes';
import { SealMark } from '@/components/seal-mark';
import { Stat } from '@/components/stat';
import { Button } from '@/components/ui/button';
import { useMe } from '@/entities/user/queries';
import { CheckingLine } from '@/entities/wallet/deposits';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { cn } from '@/lib/cn';
import { aboutBdt, bdt, centsFromWire, floorRate, isLong, toPoisha, usd } from '@/lib/money';
import { openAs } from './pending-actions';
import { useFigures } from './queries';

export function FiguresGrid({ children }: { children: ReactNode }) {
  return <div className="mb-8 grid gap-y-6 wide:mb-14 wide:grid-cols-2 wide:gap-x-12">{children}</div>;
}

function Balance() {
  const t = useTexts(dashboard);
  const { data: wallet } = useSuspenseQuery(walletQuery);
  const { data: rate } = useQuery(rateQuery);
  const cents = centsFromWire(wallet.wallet);
  const whole = rate ? floorRate(rate.usdToBdt) : null;
  return (
    <section className={HANGING}>
      <div className="flex justify-between gap-3">
        <h2 className="text-md font-semibold">{t('balance')}</h2>
        <Link to="/balance" className="-my-3 py-3 text-sm">
          {t('toBalance')}
        </Link>
      </div>
      <p
        role="status"
        aria-live="polite"
        aria-label={t('balance')}
        className={`${MONEY} mt-1 text-[40px] data-long:text-[clamp(34px,11vw,56px)] wide:text-[56px]`}
        data-long={isLong(usd(cents)) || undefined}
      >
        {usd(cents)}
      </p>
      <p className={cn(TAKA, 'mt-1 min-h-lh')}>
        {whole === null ? null : t('atRate', { taka: aboutBdt(toPoisha(cents, whole)), rate: bdt(toPoisha(100, whole)) })}
      </p>
      {wallet.pendingWithdrawal > 0 ? (
        <p className="text-sm text-muted-foreground">
          {t('pendingWithdrawal', { sum: usd(centsFromWire(wallet.pendingWithdrawal)) })}
        </p>
      ) : null}
      <CheckingLine />
      <div className="mt-4 flex min-w-0 flex-wrap items-center gap-3">
        <Button variant="seal" size="sm" asChild>
          <Link to="/deposit">
            <SealMark />
            {t('deposit')}
          </Link>
        </Button>
        <Button variant="outline" asChild>
          <Link to="/withdraw">{t('withdraw')}</Link>
        </Button>
      </div>
    </section>
  );
}

function ActiveDeals({ deals }: { deals: readonly Deal[] }) {
  const t = useTexts(dashboard);
  const me = useMe();
  const { data } = useFigures();
  const selling = openAs(deals, 'seller', me._id);
  const open = [...openAs(deals, 'buyer', me._id), ...selling];
  const total = data ? centsFromWire(data.totalPrice) : open.reduce((sum, deal) => sum + centsFromWire(deal.price), 0);
  const coming = selling.reduce((sum, deal) => sum + centsFromWire(deal.payout), 0);
  const active = data?.activeDeals ?? open.length;
  return (
    <Stat
      label={
        <>
          {t('active')}
          <Link to="/deal" className="-my-3 py-3 text-sm font-normal">
            {t('deals.all')}
          </Link>
        </>
      }
      value={usd(total)}
    >
      {active > 0 ? t('activeText', { count: active }) : t('activeNone')}
      {coming > 0 ? ` ${t('coming', { sum: usd(coming) })}` : null}
    </Stat>
  );
}

export function Figures({ deals }: { deals: readonly Deal[] }) {
  return (
    <FiguresGrid>
      <Balance />
      <ActiveDeals deals={deals} />
    </FiguresGrid>
  );
}
