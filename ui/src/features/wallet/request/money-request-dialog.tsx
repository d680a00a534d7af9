import { useLocation, useRouter } from '@tanstack/react-router';
import { type ComponentType, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { DialogPanel } from '@/components/dialog-panel';
import { SkeletonPage } from '@/components/skeleton-page';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { useReturnFocus } from '@/hooks/use-focus';
import { useTexts } from '@/i18n';
import { wallet } from '@/i18n/en/wallet';
import { preload } from '@/lib/prefetch';
import { historyIndex } from '@/prerender/router-internals';
import { METHODS } from '../wallet-search';
import { MethodTile } from './method-tile';
import type { RequestFormProps } from './request-form';
import {
  type MoneyRequest,
  type MoneyRequestAction,
  type RequestValues,
  requestDraft,
  useMoneyRequest,
} from './use-money-request';

export type DoneProps<A> = { answer: A; onClose: () => void };

/** The form is a chunk of its own, because most visitors of the page open none. */
function FormSkeleton() {
  return (
    <SkeletonPage part>
      <div className="grid gap-4">
        <Skeleton className="h-24" />
        <Skeleton className="h-30" />
        <Skeleton className="h-13" />
      </div>
    </SkeletonPage>
  );
}

export type RequestDialog<V extends RequestValues, A extends object = object> = {
  path: '/deposit' | '/withdraw';
  name: 'deposit' | 'withdraw';
  request: MoneyRequest<V, A>;
  /** The method used last. */
  useLast: () => PaymentMethod | undefined;
  /** The method whose form is open until another is chosen. */
  usePreset?: () => PaymentMethod | undefined;
  Above?: ComponentType;
  load: () => Promise<unknown>;
  Form: ComponentType<RequestFormProps<V>>;
  /** Replaces the form of a request that was accepted. */
  done: { Title: ComponentType<Pick<DoneProps<A>, 'answer'>>; Receipt: ComponentType<DoneProps<A>> };
};

type PartProps<V extends RequestValues, A extends object> = {
  dialog: RequestDialog<V, A>;
  method: PaymentMethod | undefined;
  action: MoneyRequestAction<V, A>;
};

/** The methods, and the form of the chosen one. */
function Request<V extends RequestValues, A extends object>({ dialog, method, action, onMethod }: PartProps<V, A> & MethodProps) {
  const { name, useLast, Above, Form } = dialog;
  const t = useTexts(wallet);
  const me = useMe();
  const last = useLast();
  const methods = METHODS.toSorted((one, other) => Number(other === last) - Number(one === last));
  return (
    <div className="grid min-w-0 gap-4 *:min-w-0">
      {Above ? <Above /> : null}
      <div role="group" aria-label={t(`${name}.choose`)} className="grid grid-cols-2 gap-3 max-[360px]:grid-cols-1">
        {methods.map((known) => (
          <MethodTile
            key={known}
            method={known}
            aria-pressed={known === method}
            className="hover:border-foreground hover:bg-muted aria-pressed:border-foreground aria-pressed:bg-secondary"
            onClick={() => onMethod(known)}
          />
        ))}
      </div>
      {method ? (
        <Suspense fallback={<FormSkeleton />}>
          <Form key={method} method={method} action={action} draft={requestDraft(name, me._id, method)} />
        </Suspense>
      ) : null}
    </div>
  );
}

type MethodProps = { onMethod: (method: PaymentMethod) => void };

/**
 * Closing leads to the deal that the money is for, or else to /balance: back, if it was opened
 * there, so that Back does not open it again.
 */
function useClose(path: RequestDialog<RequestValues>['path']): () => void {
  const router = useRouter();
  const location = useLocation();
  /** The history's index at the last visit of /balance. */
  const before = useRef<number | null>(null);
  const left = useRef<typeof location | null>(null);
  useEffect(() => {
    if (location.pathname === '/balance') before.current = historyIndex(location);
  }, [location]);
  return () => {
    // The current location, because a receipt's link may have been followed meanwhile.
    const { location: now } = router.state;
    if (now.pathname !== path || left.current === now) return;
    left.current = now;
    const { deal } = now.search;
    if (now.state.fromDeal || before.current === historyIndex(now) - 1) router.history.back();
    else if (deal) void router.navigate({ to: '/deal/$dealId', params: { dealId: deal }, replace: true });
    else void router.navigate({ to: '/balance', replace: true });
  };
}

/** /deposit or /withdraw: a dialog over the balance. Choosing bKash or Nagad opens the form. */
export function MoneyRequestDialog<V extends RequestValues, A extends object>({ dialog }: { dialog: RequestDialog<V, A> }) {
  const { path, name, request, load, done } = dialog;
  const t = useTexts(wallet);
  const router = useRouter();
  const { pathname, search } = useLocation();
  const focus = useReturnFocus();
  const open = pathname === path;
  const preset = dialog.usePreset?.();
  const method = search.method ?? preset;
  const close = useClose(path);
  const action = useMoneyRequest(request, close);
  const { answer } = action;
  useEffect(() => (open ? preload(load) : undefined), [open, load]);
  // Back closes the dialog without a click.
  const onClosed = useEffectEvent(() => action.forget());
  useEffect(() => (open ? undefined : onClosed()), [open]);
  const quiet = () => {
    if (action.phase === 'idle') action.reset();
  };
  const onClose = () => {
    quiet();
    close();
  };
  const onMethod = (chosen: PaymentMethod) => {
    quiet();
    void router.navigate({
      ...{ to: path, search: { ...search, method: chosen }, state: true },
      ...{ replace: true, resetScroll: false },
    });
  };
  const title = t(method ? `${name}.title.${method}` : name);
  return (
    <Dialog back={false} open={open} onOpenChange={(wanted) => (wanted ? null : onClose())}>
      {open ? (
        <DialogPanel
          title={answer === null ? title : <done.Title answer={answer} />}
          description={answer === null && !method ? t(`${name}.lede`) : undefined}
          onOpenAutoFocus={(event) => {
            // The form focuses its first field.
            event.preventDefault();
            focus.remember(event);
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onCloseAutoFocus={focus.giveBack}
        >
          {answer === null ? (
            <Request dialog={dialog} method={method} action={action} onMethod={onMethod} />
          ) : (
            <done.Receipt answer={answer} onClose={onClose} />
          )}
        </DialogPanel>
      ) : null}
    </Dialog>
  );
}
