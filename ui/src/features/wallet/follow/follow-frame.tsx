import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { COLUMNS } from '@/components/classes';
import { Crumbs } from '@/components/crumbs';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { QueryPart } from '@/components/query-part';
import { SkeletonPage } from '@/components/skeleton-page';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit';
import { wallet } from '@/i18n/en/wallet';
import { isApiError } from '@/lib/errors';

type Props<T> = Pick<ComponentProps<typeof QueryPart<T>>, 'query' | 'children'> & {
  /** Of the window, in the breadcrumb, and the heading if it cannot be loaded. */
  page: string;
  missing: string;
  failure: string;
};

function Waiting() {
  return (
    <SkeletonPage part>
      <Skeleton className="h-10 w-[60%]" />
      <div className={`${COLUMNS} mt-10`}>
        <Skeleton className="h-60" />
        <Skeleton className="h-60" />
      </div>
    </SkeletonPage>
  );
}

/** The page of a deposit, or of what may become one. */
export function FollowFrame<T>({ query, page, missing, failure, children }: Props<T>) {
  const t = useTexts(depositFollow);
  const tWallet = useTexts(wallet);
  const { error, isLoadingError } = query;
  if (isLoadingError && (isApiError(error, 'not_found') || isApiError(error, 'invalid'))) {
    return (
      <MissingPage title={missing} text={t('missingText')}>
        <Link to="/balance">{t('toBalance')}</Link>
      </MissingPage>
    );
  }
  return (
    <Page title={page}>
      <Crumbs label={tWallet('balance')} links={[<Link to="/balance">{tWallet('balance')}</Link>]} page={page} />
      {isLoadingError ? <h1 className="mb-4 font-display text-display-lg">{page}</h1> : null}
      <QueryPart query={query} failure={failure} skeleton={<Waiting />}>
        {children}
      </QueryPart>
    </Page>
  );
}
