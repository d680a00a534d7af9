import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { COLUMNS, columnRule } from '@/components/classes';
import { Page } from '@/components/page';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { dealQuery } from '@/entities/deal/queries';
import { pendingDepositsQuery } from '@/entities/wallet/deposits';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { walletQuery } from '@/entities/wallet/queries';
import { translate, useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { notifyFailure } from '@/lib/notify-failure';
import { isSilent } from '../failures';

/** Balance, pending deposits and rate: the page works without them, but they would move it. */
async function loadSideData(queryClient: QueryClient): Promise<void> {
  const facts = [
    queryClient.query({ ...walletQuery, staleTime: 'static', retry: false }),
    queryClient.query({ ...pendingDepositsQuery, staleTime: 'static', retry: false }),
    queryClient.query({ ...rateQuery, staleTime: 'static', retry: false }),
  ];
  await Promise.allSettled(facts);
}

/** Loads a deal; a failure leads to the list. */
export async function loadDeal(queryClient: QueryClient, id: string, preload: boolean): Promise<void> {
  const facts = loadSideData(queryClient);
  try {
    await queryClient.query({ ...dealQuery(id), staleTime: 'static' });
    await facts;
  } catch (error) {
    if (isSilent(error, preload)) throw error;
    notifyFailure(translate(deals, 'fetchFailed'), error);
    throw redirect({ to: '/deals', replace: true });
  }
}

export function DetailSkeleton() {
  const t = useTexts(deals);
  return (
    <Page title={t('crumb')} className="wrap-anywhere">
      <SkeletonPage>
        <div className="mb-2 flex min-h-8 items-center">
          <Skeleton className="w-40" />
        </div>
        <div className="mb-6 grid gap-3">
          <Skeleton className="h-11 w-[min(560px,80%)]" />
          <Skeleton className="h-8 w-[min(280px,60%)]" />
          <Skeleton className="h-5 w-[min(520px,90%)]" />
        </div>
        <div className={COLUMNS}>
          <div className="grid min-h-40 animate-pulse grid-cols-[1fr_1.34fr_1fr] border-t-2 border-b border-border-strong border-t-foreground *:relative md:min-h-53">
            <span />
            <span className={columnRule(false)} />
            <span className={columnRule(false)} />
          </div>
          <div className="grid min-w-0 content-start gap-4 border-t-2 border-foreground pt-3 *:min-w-0">
            <Skeleton className="h-6 w-35" />
            <Skeleton />
            <Skeleton className="h-13" />
            <Skeleton className="h-11" />
          </div>
        </div>
      </SkeletonPage>
    </Page>
  );
}
