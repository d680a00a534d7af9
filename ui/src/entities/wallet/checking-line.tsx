import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTexts } from '@/i18n';
import { checking } from '@/i18n/en/checking';
import { usd } from '@/lib/money';
import { pendingDepositsQuery, sumOf } from './deposits';

export const CHECKING_LIST = 'checking';

/** "$100.00 being checked" under the balance, linked to the deposit or the list. */
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
