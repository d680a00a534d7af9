import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTexts } from '@/i18n';
import { checking } from '@/i18n/en/checking';
import { usd } from '@/lib/money';
import { pendingDepositsQuery, sumOf } from './deposits';

/** The id of the list of the deposits that are being checked, on the page of the balance. */
export const CHECKING_LIST = 'checking';

/** Under the balance: "$100.00 being checked", with the way to the deposit, or to the list of several. Nothing where none is. */
export function CheckingLine() {
  const t = useTexts(checking);
  const { data } = useQuery(pendingDepositsQuery);
  const deposits = data?.deposits ?? [];
  const [first, ...others] = deposits;
  if (!first) return null;
  const words = t('sum', { sum: usd(sumOf(deposits)) });
  const className = 'inline-flex min-h-11 items-center text-sm text-muted-foreground';
  return (
    <p data-slot="checking" aria-live="polite" className="-my-1.5">
      {others.length === 0 ? (
        <Link to="/balance/deposits/$depositId" params={{ depositId: first._id }} className={className}>
          {words}
        </Link>
      ) : (
        <Link to="/balance" hash={CHECKING_LIST} className={className}>
          {words}
        </Link>
      )}
    </p>
  );
}
