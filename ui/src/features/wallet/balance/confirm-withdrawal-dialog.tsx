import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Withdrawal } from '@/api/contract';
import { DialogPanel } from '@/components/dialog-panel';
import { QueryPart } from '@/components/query-part';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { methodsOf, secondFactorQuery } from '@/entities/user/second-factor/methods';
import { ProofForm } from '@/entities/user/second-factor/proof-form';
import { groupedPhone } from '@/entities/wallet/mobile-money';
import { refreshMoney } from '@/entities/wallet/operations';
import { translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { api, send } from '@/lib/api';
import { isApiError } from '@/lib/errors';
import { centsFromWire, localDigits, usd } from '@/lib/money';

type Props = { withdrawal: Withdrawal; onClose: () => void };

function Proof({ withdrawal: { _id: id }, onClose }: Props) {
  const t = useTexts(wallet);
  const tCommon = useTexts(common);
  const queryClient = useQueryClient();
  return (
    <QueryPart query={useQuery(secondFactorQuery)} skeleton={<Skeleton className="h-42" />}>
      {(factor) => (
        <ProofForm
          methods={methodsOf(factor)}
          options={() => send(api.POST('/auth/confirm/options'))}
          prove={(proof) => send(api.POST('/withdraw/{id}/confirm', { params: { path: { id } }, body: proof }))}
          success={() => translate(wallet, 'confirm.done')}
          submitText={t('confirm.submit')}
          onDone={() => {
            onClose();
            void refreshMoney(queryClient);
          }}
          // It may have been handled meanwhile.
          onRefused={(error) => (isApiError(error, 'conflict') ? void refreshMoney(queryClient) : undefined)}
        >
          <Button variant="outline" onClick={onClose}>
            {tCommon('cancel')}
          </Button>
        </ProofForm>
      )}
    </QueryPart>
  );
}

/** Confirms a withdrawal on hold with the owner's second factor. */
export default function ConfirmWithdrawalDialog({ withdrawal, onClose }: Props) {
  const t = useTexts(wallet);
  const tKhata = useTexts(khata);
  return (
    <Dialog open onOpenChange={(open) => (open ? null : onClose())}>
      <DialogPanel
        title={t('confirm.title')}
        description={t('pending.to', {
          sum: usd(centsFromWire(withdrawal.amount)),
          method: tKhata(`method.${withdrawal.paymentMethod}`),
          number: localDigits(groupedPhone(withdrawal.phonenumber)),
        })}
      >
        <Proof withdrawal={withdrawal} onClose={onClose} />
      </DialogPanel>
    </Dialog>
  );
}
