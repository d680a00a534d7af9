import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MONEY } from '@/components/classes';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { api, send } from '@/lib/api';
import { centsFromWire, count, usdWhole } from '@/lib/money';
import { LandingSection } from './sections';

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="border-t-2 border-foreground pt-2.5">
      <dt className="text-md text-muted-foreground">{label}</dt>
      <dd className={`${MONEY} mt-1 text-[clamp(1.625rem,1.2rem+1.9vw,2.5rem)]`}>{children}</dd>
    </div>
  );
}

/** Counters and promises. The counters are omitted until the server has answered. */
export function Proof() {
  const t = useTexts(landing);
  const { data, isError } = useQuery({
    queryKey: ['public-stats'],
    queryFn: ({ signal }) => send(api.GET('/public/public-stats', { signal })),
    staleTime: 5 * 60_000,
    meta: { quiet: true },
  });
  return (
    <LandingSection>
      <dl className="grid grid-cols-[1fr_1fr] gap-x-4 gap-y-6 md:grid-cols-[repeat(4,1fr)] md:gap-8">
        {isError ? null : (
          <>
            <Figure label={t('proof.usd')}>
              {data ? (
                usdWhole(centsFromWire(data.totalDepositAmount + data.usdOffset))
              ) : (
                <Skeleton className="h-[1em] w-[6ch]" />
              )}
            </Figure>
            <Figure label={t('proof.users')}>
              {data ? count(data.totalUsers + data.userOffset) : <Skeleton className="h-[1em] w-[5ch]" />}
            </Figure>
          </>
        )}
        <Figure label={t('proof.fee')}>{t('proof.feeValue')}</Figure>
        <Figure label={t('proof.silent')}>{t('proof.back')}</Figure>
      </dl>
    </LandingSection>
  );
}
