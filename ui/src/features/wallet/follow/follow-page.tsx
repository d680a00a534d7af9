import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Deposit, DepositWait } from '@/api/contract';
import { COLUMNS } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { LoadFailed } from '@/components/load-failed';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { SkeletonPage } from '@/components/skeleton-page';
import {
  Breadcrumb,
  BreadcrumbItem,
  BreadcrumbLink,
  BreadcrumbList,
  BreadcrumbPage,
  BreadcrumbSeparator,
} from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { depositQuery } from '@/entities/wallet/deposits';
import { RequestBadge } from '@/entities/wallet/request-badge';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { depositFollow } from '@/i18n/en/deposit-follow';
import { wallet } from '@/i18n/en/wallet';
import { isApiError } from '@/lib/errors';
import { bdt, centsFromWire, toPoisha, usd } from '@/lib/money';
import { DepositFacts } from './deposit-facts';
import ForDeal from './for-deal';
import { Steps } from './steps';
import { Why } from './why';

const RetractDialog = lazyPart(
  () => import('./retract-dialog'),
  ({ onClose }) => onClose(),
);

const route = getRouteApi('/_app/balance/deposits/$depositId/');

function useHeadline() {
  const t = useTexts(depositFollow);
  return ({ status, reasonCode, amount, claimedAmount, rate }: Deposit): string => {
    if (status === 'completed') return t('credited', { sum: usd(centsFromWire(amount)) });
    if (status === 'pending') return t('checking', { taka: bdt(toPoisha(centsFromWire(claimedAmount), rate)) });
    return t(reasonCode === 'retracted' ? 'withdrawn' : 'notCredited');
  };
}

function Instead({ deposit }: { deposit: Deposit }) {
  const t = useTexts(depositFollow);
  const { amount, claimedAmount, reason } = deposit;
  if (amount === claimedAmount) return null;
  return (
    <div>
      <p>{t('instead', { sum: usd(centsFromWire(amount)), claimed: usd(centsFromWire(claimedAmount)) })}</p>
      {reason ? <p className="mt-1 wrap-anywhere">{t('words', { reason })}</p> : null}
    </div>
  );
}

function Retract({ deposit }: { deposit: Deposit }) {
  const t = useTexts(depositFollow);
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button variant="outline" onClick={() => setAsked(true)}>
        {t('retract')}
      </Button>
      {asked ? (
        <Suspense>
          <RetractDialog id={deposit._id} transactionId={deposit.transactionId} onClose={() => setAsked(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

type BodyProps = { deposit: Deposit; wait: DepositWait; deal: string | undefined };

function Body({ deposit, wait, deal }: BodyProps) {
  const t = useTexts(depositFollow);
  const tWallet = useTexts(wallet);
  const headline = useHeadline()(deposit);
  const { status, operation, disputed } = deposit;
  const pending = status === 'pending';
  return (
    <>
      {/* Announced, because it changes by itself. */}
      <div aria-live="polite" aria-atomic="true">
        <h1 className="font-display text-display-lg">{headline}</h1>
        <p className="mt-3">
          <RequestBadge status={status} />
        </p>
      </div>
      <div className={`${COLUMNS} mt-10`}>
        <div className="grid min-w-0 gap-8">
          <Section title={t('steps')}>
            <Steps deposit={deposit} wait={wait} />
            {pending ? <p className="text-muted-foreground">{t(operation ? 'processing' : 'told')}</p> : null}
            {pending && disputed ? <p className="mt-1">{tWallet('disputed')}</p> : null}
            {status === 'completed' ? <Instead deposit={deposit} /> : null}
          </Section>
          {status === 'Failed' ? <Why deposit={deposit} deal={deal} /> : null}
          {deal ? (
            <div className="grid justify-items-start gap-3">
              {pending ? <ForDeal id={deal} /> : null}
              <Button variant={status === 'completed' ? 'seal' : 'outline'} asChild>
                <Link to="/deal/$dealId" params={{ dealId: deal }}>
                  {t('toDeal')}
                </Link>
              </Button>
            </div>
          ) : null}
        </div>
        <div className="min-w-0">
          <DepositFacts deposit={deposit} />
          {status === 'completed' ? (
            <Button variant="link" className="mt-2" asChild>
              <Link to="/balance/deposits/$depositId/receipt" params={{ depositId: deposit._id }}>
                <FileText aria-hidden="true" />
                {t('receipt')}
              </Link>
            </Button>
          ) : null}
          {pending && !operation ? (
            <div className="mt-4">
              <Retract deposit={deposit} />
            </div>
          ) : null}
        </div>
      </div>
    </>
  );
}

function Waiting() {
  const t = useTexts(common);
  return (
    <SkeletonPage part label={t('loading')}>
      <Skeleton className="h-10 w-[60%]" />
      <div className={`${COLUMNS} mt-10`}>
        <Skeleton className="h-60" />
        <Skeleton className="h-60" />
      </div>
    </SkeletonPage>
  );
}

/** /balance/deposits/$depositId: the state of a deposit, updated when an admin decides. */
export function FollowPage({ id }: { id: string }) {
  const t = useTexts(depositFollow);
  const tWallet = useTexts(wallet);
  const { deal } = route.useSearch();
  const { data, error, isLoadingError, isFetching, refetch } = useQuery(depositQuery(id));
  if (isLoadingError && (isApiError(error, 'not_found') || isApiError(error, 'invalid'))) {
    return (
      <MissingPage title={t('missing')} text={t('missingText')}>
        <Link to="/balance">{t('toBalance')}</Link>
      </MissingPage>
    );
  }
  return (
    <Page title={t('page')}>
      <Breadcrumb aria-label={tWallet('balance')}>
        <BreadcrumbList>
          <BreadcrumbItem>
            <BreadcrumbLink asChild>
              <Link to="/balance">{tWallet('balance')}</Link>
            </BreadcrumbLink>
          </BreadcrumbItem>
          <BreadcrumbSeparator>/</BreadcrumbSeparator>
          <BreadcrumbItem>
            <BreadcrumbPage>{t('page')}</BreadcrumbPage>
          </BreadcrumbItem>
        </BreadcrumbList>
      </Breadcrumb>
      {data ? <Body deposit={data.deposit} wait={data.wait} deal={deal} /> : null}
      {data || isLoadingError ? null : <Waiting />}
      {isLoadingError ? (
        <>
          <h1 className="mb-4 font-display text-display-lg">{t('page')}</h1>
          <LoadFailed error={error} fallback={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
        </>
      ) : null}
    </Page>
  );
}
