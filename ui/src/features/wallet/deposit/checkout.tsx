import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Note } from '@/components/note';
import { PendingButton } from '@/components/pending-button';
import { receiversQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { api, send } from '@/lib/api';
import { leaveFor } from '@/lib/leave';
import { bdt, type Cents, centsToWire, type Poisha } from '@/lib/money';
import { aimOf, checkoutQuery } from '../queries';
import { FormFailure } from '../request/request-form';

/** Gets a page of bKash for a deposit, and opens it once a worker has it. */
function useCheckout() {
  const queryClient = useQueryClient();
  const { search, state } = useLocation();
  const [id, setId] = useState('');
  const start = useMutation({
    mutationFn: ({ cents, poisha }: { cents: Cents; poisha: Poisha }) =>
      send(
        api.POST('/checkouts', {
          body: { amount: centsToWire(cents), convertedAmount: poisha / 100, ...aimOf(search.deal, state.fromDeal?.terms) },
        }),
      ),
    onSuccess: (checkout) => {
      queryClient.setQueryData(checkoutQuery(checkout._id).queryKey, checkout);
      setId(checkout._id);
    },
    // It may have become unavailable.
    onError: () => void queryClient.invalidateQueries({ queryKey: receiversQuery.queryKey }),
  });
  const { data } = useQuery({ ...checkoutQuery(id), enabled: id !== '' });
  const url = data?.url;
  useEffect(() => {
    if (url) leaveFor(url);
  }, [url]);
  return {
    start: start.mutate,
    error: start.error,
    failed: data?.state === 'failed' && !start.isPending,
    // Not once the page is left: the browser may come back to it as it was.
    pending: start.isPending || data?.state === 'starting',
  };
}

type Props = { cents: Cents; poisha: Poisha | null; onIncomplete: () => void };

/** "Pay ৳12,300 with bKash", before the way by hand. */
export function Checkout({ cents, poisha, onIncomplete }: Props) {
  const t = useTexts(wallet);
  const { start, error, failed, pending } = useCheckout();
  return (
    <>
      <PendingButton
        type="button"
        variant="seal"
        className="w-full"
        pending={pending}
        pendingText={t('checkout.opening')}
        onClick={() => (poisha === null ? onIncomplete() : start({ cents, poisha }))}
      >
        {poisha === null ? t('checkout.payPlain') : t('checkout.pay', { taka: bdt(poisha) })}
      </PendingButton>
      <FormFailure error={error} codes={[]} fallback={t('checkout.unavailable')} />
      {failed ? (
        <Note kind="bad" alert>
          {t('checkout.unavailable')}
        </Note>
      ) : null}
    </>
  );
}
