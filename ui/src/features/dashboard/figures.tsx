import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Deal } from '@/api/contract';
import { Stat } from '@/components/khata/stat';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';
import { aboutBdt, bdt, centsFromWire, floorRate, isLong, toPoisha, usd } from '@/lib/money';
import { rateQuery, useMe, walletQuery } from '@/lib/queries';
import { openAs } from './waits';

function Balance() {
  const t = useTexts(dashboard);
  const { data: wallet } = useSuspenseQuery(walletQuery);
  const { data: rate } = useQuery(rateQuery);
  const cents = centsFromWire(wallet.wallet);
  const whole = rate ? floorRate(rate.usdToBdt) : null;
  return (
    <section className="stat stat--main">
      <h2 className="statlab">{t('balance')}</h2>
      <p className="money bigmoney" data-long={isLong(usd(cents)) || undefined} aria-live="polite">
        {usd(cents)}
      </p>
      <p className="bdt">
        {whole === null ? null : t('atRate', { taka: aboutBdt(toPoisha(cents, whole)), rate: bdt(toPoisha(100, whole)) })}
      </p>
      <div className="row g2 mt">
        <Button variant="seal" size="sm" asChild>
          <Link to="/deposit">{t('deposit')}</Link>
        </Button>
        <Button variant="line" asChild>
          <Link to="/withdraw">{t('withdraw')}</Link>
        </Button>
      </div>
    </section>
  );
}

/** The parts of a sum as a divided bar. */
function Split({ parts }: { parts: number[] }) {
  if (parts.length < 2) return null;
  return (
    <dd className="minisplit" aria-hidden="true">
      {parts.map((part, index) => (
        <i key={index} style={{ flexGrow: part }} />
      ))}
    </dd>
  );
}

/** The balance, what is in trust from this user and for this user, and withdrawals on their way. */
export function Figures({ deals }: { deals: readonly Deal[] }) {
  const t = useTexts(dashboard);
  const me = useMe();
  const { data: wallet } = useSuspenseQuery(walletQuery);
  const buying = openAs(deals, 'buyer', me._id);
  const selling = openAs(deals, 'seller', me._id);
  const coming = selling.reduce((sum, deal) => sum + centsFromWire(deal.payout), 0);
  return (
    <div className="dtop">
      <Balance />
      <Stat
        label={t('inTrust')}
        value={usd(centsFromWire(wallet.inEscrow))}
        picture={<Split parts={buying.map((deal) => deal.price)} />}
      >
        {buying.length > 0 ? t('inTrustText', { count: buying.length }) : t('inTrustNone')}
      </Stat>
      <Stat label={t('coming')} value={usd(coming)}>
        {selling.length > 0 ? t('comingText', { count: selling.length }) : t('comingNone')}
      </Stat>
      {wallet.pendingWithdrawal > 0 ? (
        <Stat label={t('pendingWithdrawal')} value={usd(centsFromWire(wallet.pendingWithdrawal))}>
          {t('pendingWithdrawalText')}
        </Stat>
      ) : null}
    </div>
  );
}
