import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { api, send } from '@/lib/api';
import { centsFromWire, count, usdWhole } from '@/lib/money';

/** Counters and promises. The counters are the server's values plus its offsets; without an answer they are left out. */
export function Proof() {
  const t = useTexts(landing);
  const { data, isError } = useQuery({
    queryKey: ['public-stats'],
    queryFn: ({ signal }) => send(api.GET('/public/public-stats', { signal })),
    staleTime: 5 * 60_000,
    meta: { quiet: true },
  });
  return (
    <section className="wrap lsec">
      <dl className="proof">
        {isError ? null : (
          <>
            <div>
              <dt>{t('proof.usd')}</dt>
              <dd className="money">
                {data ? usdWhole(centsFromWire(data.totalDepositAmount + data.usdOffset)) : <Skeleton width="6ch" height="1em" />}
              </dd>
            </div>
            <div>
              <dt>{t('proof.users')}</dt>
              <dd className="money">{data ? count(data.totalUsers + data.userOffset) : <Skeleton width="5ch" height="1em" />}</dd>
            </div>
          </>
        )}
        <div>
          <dt>{t('proof.fee')}</dt>
          <dd className="money">{t('proof.feeValue')}</dd>
        </div>
        <div>
          <dt>{t('proof.silent')}</dt>
          <dd className="money">{t('proof.back')}</dd>
        </div>
      </dl>
    </section>
  );
}
