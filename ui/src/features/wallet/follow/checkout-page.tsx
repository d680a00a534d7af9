import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { Checkout } from '@/api/contract';
import { Crumbs } from '@/components/crumbs';
import { LoadFailed } from '@/components/load-failed';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { SkeletonPage } from '@/components/skeleton-page';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { checkoutPage, depositFollow } from '@/i18n/en/deposit';
import { wallet } from '@/i18n/en/wallet';
import { api, send } from '@/lib/api';
import { dropDraft } from '@/lib/draft';
import { isApiError } from '@/lib/errors';
import { bdt, centsFromWire } from '@/lib/money';
import { checkoutQuery } from '../queries';
import { requestDraft } from '../request/use-money-request';

/** With what bKash sends a payer back. */
const RETURNS = ['success', 'failure', 'cancel'] as const;
type Returned = (typeof RETURNS)[number];

type Props = { id: string; returned: Returned | undefined };

/** Has bKash asked what has become of the payment: the address proves nothing. */
function useReturn({ id, returned }: Props) {
  const { mutate } = useMutation({
    mutationFn: (status: Returned) => send(api.POST('/checkouts/{id}/return', { params: { path: { id } }, body: { status } })),
    meta: { quiet: true },
  });
  const report = useEffectEvent(() => (returned ? mutate(returned) : undefined));
  useEffect(() => report(), []);
}

function Failed({ checkout: { failure, amount, dealId } }: { checkout: Checkout }) {
  const t = useTexts(checkoutPage);
  return (
    <>
      <p className="mt-3 max-w-measure">{t(`why.${failure ?? 'declined'}`)}</p>
      <Button className="mt-6" asChild>
        <Link to="/deposit" search={{ method: 'Bkash', amount, deal: dealId ?? undefined }}>
          {t('again')}
        </Link>
      </Button>
    </>
  );
}

function Body({ checkout, returned }: { checkout: Checkout } & Pick<Props, 'returned'>) {
  const t = useTexts(checkoutPage);
  const tWallet = useTexts(wallet);
  const { state, url, convertedAmount } = checkout;
  const failed = state === 'failed';
  const left = url !== null && !returned;
  return (
    <div aria-live="polite">
      <h1 className="font-display text-display-lg">{t(failed ? 'failed' : left ? 'left' : 'waiting')}</h1>
      {failed ? <Failed checkout={checkout} /> : null}
      {left ? (
        <Button variant="seal" className="mt-6" asChild>
          <a href={url}>{tWallet('checkout.pay', { taka: bdt(centsFromWire(convertedAmount)) })}</a>
        </Button>
      ) : null}
      {failed || left ? null : <p className="mt-3 max-w-measure">{t('waitingText')}</p>}
    </div>
  );
}

/** /balance/checkouts/$checkoutId: where bKash sends a payer back to. Leads on to the deposit. */
export function CheckoutPage({ id, status }: { id: string; status: string | undefined }) {
  const returned = RETURNS.find((known) => known === status);
  const t = useTexts(checkoutPage);
  const tFollow = useTexts(depositFollow);
  const tWallet = useTexts(wallet);
  const router = useRouter();
  const { data: checkout, error, isLoadingError, isFetching, refetch } = useQuery(checkoutQuery(id));
  useReturn({ id, returned });
  const paid = checkout?.state === 'paid';
  const draft = requestDraft('deposit', useMe()._id, 'Bkash');
  useEffect(() => {
    if (!paid) return;
    dropDraft(draft);
    void router.navigate({ to: '/balance/deposits/$depositId', params: { depositId: id }, replace: true });
  }, [paid, router, id, draft]);
  if (isLoadingError && (isApiError(error, 'not_found') || isApiError(error, 'invalid'))) {
    return (
      <MissingPage title={t('missing')} text={tFollow('missingText')}>
        <Link to="/balance">{tFollow('toBalance')}</Link>
      </MissingPage>
    );
  }
  return (
    <Page title={t('page')}>
      <Crumbs label={tWallet('balance')} links={[<Link to="/balance">{tWallet('balance')}</Link>]} page={t('page')} />
      {checkout ? <Body checkout={checkout} returned={returned} /> : null}
      {isLoadingError ? (
        <>
          <h1 className="mb-4 font-display text-display-lg">{t('page')}</h1>
          <LoadFailed error={error} fallback={t('unread')} busy={isFetching} onRetry={() => void refetch()} />
        </>
      ) : null}
      {checkout || isLoadingError ? null : (
        <SkeletonPage part>
          <Skeleton className="h-10 w-[60%]" />
        </SkeletonPage>
      )}
    </Page>
  );
}
