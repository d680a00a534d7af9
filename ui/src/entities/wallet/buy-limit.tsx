import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WalletLimits } from '@/api/contract';
import { Note } from '@/components/note';
import { useMaybeMe } from '@/entities/user/queries';
import { type Translate, useTexts } from '@/i18n';
import { limits } from '@/i18n/en/balance';
import { buyLimit } from '@/i18n/en/buy-limit';
import { type Cents, centsFromWire, usdShort } from '@/lib/money';
import { limitsQuery } from './limits';

/** What waiting alone raises; null if more is needed. */
function waitText(t: Translate<typeof buyLimit>, next: WalletLimits['next']): string | null {
  const [need, more] = next?.needs ?? [];
  if (!next || need?.kind !== 'account_age' || more) return null;
  const days = { count: need.need - need.have };
  return next.perDeal === null ? t('waitAll', days) : t('wait', { ...days, sum: usdShort(centsFromWire(next.perDeal)) });
}

/** Says before the work that the reader, or a visitor's new account, may not pay this price. */
export function BuyLimit({ price, className }: { price: Cents | null; className?: string }) {
  const t = useTexts(buyLimit);
  const tLimits = useTexts(limits);
  const me = useMaybeMe();
  const { data } = useQuery(limitsQuery);
  const most = data?.perDeal == null ? null : centsFromWire(data.perDeal);
  if (!data || price === null || most === null || price <= most) return null;
  return (
    <Note kind="wait" className={className}>
      <p className="font-semibold">{t(me ? 'member' : 'visitor', { sum: usdShort(most) })}</p>
      <p>{waitText(t, data.next)}</p>
      {me ? (
        <p>
          <Link to="/balance" hash="limits">
            {tLimits('more')}
          </Link>
        </p>
      ) : null}
    </Note>
  );
}
