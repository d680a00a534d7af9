import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { Checkout } from '@/api/contract';
import { Button } from '@/components/ui/button';
import { useMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { checkoutPage } from '@/i18n/en/deposit';
import { wallet } from '@/i18n/en/wallet';
import { api, send } from '@/lib/api';
import { dropDraft } from '@/lib/draft';
import { bdt, centsFromWire } from '@/lib/money';
import { checkoutQuery } from '../queries';
import { requestDraft } from '../request/use-money-request';
import { FollowFrame } from './follow-frame';

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
  const router = useRouter();
  const query = useQuery(checkoutQuery(id));
  useReturn({ id, returned });
  const paid = query.data?.state === 'paid';
  const draft = requestDraft('deposit', useMe()._id, 'Bkash');
  useEffect(() => {
    if (!paid) return;
    dropDraft(draft);
    void router.navigate({ to: '/balance/deposits/$depositId', params: { depositId: id }, replace: true });
  }, [paid, router, id, draft]);
  return (
    <FollowFrame query={query} page={t('page')} missing={t('missing')} failure={t('unread')}>
      {(checkout) => <Body checkout={checkout} returned={returned} />}
    </FollowFrame>
  );
}
