import { type ComponentType, Suspense } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { DialogPanel } from '@/components/dialog-panel';
import { SkeletonPage } from '@/components/skeleton-page';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import type { RequestPage } from './money-request-page';
import { type MoneyRequestAction, type RequestValues, requestDraft } from './use-money-request';

export type DoneProps<A> = { answer: A; onClose: () => void };

export type Done<A> = { Title: ComponentType<Pick<DoneProps<A>, 'answer'>>; Receipt: ComponentType<DoneProps<A>> };

/** The form is a chunk of its own, because most visitors of the page have not chosen yet. */
function FormSkeleton() {
  const t = useTexts(common);
  return (
    <SkeletonPage part label={t('loading')}>
      <div className="grid gap-4">
        <Skeleton className="h-24" />
        <Skeleton className="h-30" />
        <Skeleton className="h-13" />
      </div>
    </SkeletonPage>
  );
}

type Props<V extends RequestValues, A> = {
  page: RequestPage<V, A>;
  method: PaymentMethod | undefined;
  action: MoneyRequestAction<V, A>;
  onClose: () => void;
};

export function RequestDialog<V extends RequestValues, A>({ page, method, action, onClose }: Props<V, A>) {
  const { name, titleOf, Form, done } = page;
  const { answer } = action;
  const t = useTexts(wallet);
  const tKhata = useTexts(khata);
  const me = useMe();
  const focus = useReturnFocus();
  const receipt = done && answer !== null ? { ...done, answer } : null;
  return (
    <Dialog back={false} open={method !== undefined} onOpenChange={(open) => (open ? null : onClose())}>
      {method ? (
        <DialogPanel
          title={
            receipt ? (
              <Suspense>
                <receipt.Title answer={receipt.answer} />
              </Suspense>
            ) : (
              titleOf(t, tKhata, method)
            )
          }
          onOpenAutoFocus={(event) => {
            // The form focuses its first field.
            event.preventDefault();
            focus.remember(event);
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onCloseAutoFocus={focus.giveBack}
        >
          <Suspense fallback={<FormSkeleton />}>
            {receipt ? (
              <receipt.Receipt answer={receipt.answer} onClose={onClose} />
            ) : (
              <Form key={method} method={method} action={action} draft={requestDraft(name, me._id, method)} />
            )}
          </Suspense>
        </DialogPanel>
      ) : null}
    </Dialog>
  );
}
