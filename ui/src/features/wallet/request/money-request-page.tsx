import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type ComponentType, Suspense, useEffect } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { COLUMNS } from '@/components/classes';
import { Crumbs } from '@/components/crumbs';
import { DialogPanel } from '@/components/dialog-panel';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { SkeletonPage } from '@/components/skeleton-page';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { useCloseAddress } from '@/hooks/use-close-address';
import { useReturnFocus } from '@/hooks/use-focus';
import { type Translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { preload } from '@/lib/prefetch';
import { type HistoryKind, HistoryView, useHistory } from '../history/history';
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

type Done<A> = { Title: ComponentType<Pick<DoneProps<A>, 'answer'>>; Receipt: ComponentType<DoneProps<A>> };

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

function RequestDialog<V extends RequestValues, A>({ page, method, action, onClose }: Props<V, A>) {
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

const RECENT = 5;

function Recent({ kind }: { kind: HistoryKind }) {
  const t = useTexts(wallet);
  const history = useHistory(kind, 1);
  return (
    <Section
      title={t(kind === 'deposits' ? 'recentDeposits' : 'recentWithdrawals')}
      className="mt-12"
      aside={
        history.loaded && history.loaded.total > 0 ? (
          <Link to="/balance" search={kind === 'deposits' ? {} : { tab: kind }}>
            {t('all')}
          </Link>
        ) : null
      }
    >
      <HistoryView kind={kind} history={history} limit={RECENT} />
    </Section>
  );
}

export type RequestPage<V extends RequestValues, A = unknown> = {
  path: '/deposit' | '/withdraw';
  name: 'deposit' | 'withdraw';
  history: HistoryKind;
  request: MoneyRequest<V, A>;
  Above?: ComponentType;
  Aside: ComponentType;
  Below?: ComponentType;
  titleOf: (t: Translate<typeof wallet>, tKhata: Translate<typeof khata>, method: PaymentMethod) => string;
  load: () => Promise<unknown>;
  Form: ComponentType<RequestFormProps<V>>;
  /** Without it, the dialog closes on success. */
  done?: Done<A>;
};

/** The address opens the dialog, so that reloads and Back work. */
function useMethod(path: '/deposit' | '/withdraw') {
  const { method } = useSearch({ strict: false });
  const navigate = useNavigate();
  const closeAddress = useCloseAddress('method');
  const go = (chosen: PaymentMethod | undefined, replace: boolean) =>
    void navigate({ to: path, search: (now) => ({ ...now, method: chosen }), state: true, replace, resetScroll: false });
  return {
    method,
    choose: (chosen: PaymentMethod) => go(chosen, false),
    close: () => closeAddress(() => go(undefined, true)),
  };
}

/** Choose Nagad or Bkash, which opens the form; below, the latest requests. */
export function MoneyRequestPage<V extends RequestValues, A>({ page }: { page: RequestPage<V, A> }) {
  const { path, name, history, request, Above, Aside, Below, load, done } = page;
  const t = useTexts(wallet);
  const router = useRouter();
  const { method, choose, close } = useMethod(path);
  // Before the first click, but after the page.
  useEffect(() => preload(load), [load]);
  const action = useMoneyRequest(request, () => {
    const { pathname, search } = router.state.location;
    // The user may have left the page or closed the dialog.
    if (pathname !== path || search.method === undefined) return 'forget';
    if (!done) close();
    return done ? 'keep' : 'forget';
  });
  const setMethod = (chosen: PaymentMethod | undefined) => {
    if (action.phase === 'idle') action.reset();
    if (!chosen) {
      close();
      return;
    }
    action.forget();
    choose(chosen);
  };
  const title = t(name);
  return (
    <Page title={title}>
      <Crumbs label={t('balance')} links={[<Link to="/balance">{t('balance')}</Link>]} page={title} />
      <h1 className="font-display text-display-lg">{title}</h1>
      <p className="mt-2 max-w-measure text-lede text-muted-foreground">{t(`${name}.lede`)}</p>
      {Above ? (
        <Suspense>
          <Above />
        </Suspense>
      ) : null}
      <div className={cn(COLUMNS, 'mt-12')}>
        <Section title={t(`${name}.choose`)}>
          <div className="grid gap-3 sm:grid-cols-2">
            {METHODS.map((known) => (
              <MethodTile
                key={known}
                method={known}
                className="min-h-19 px-4.5 transition-[border-color] hover:border-foreground hover:bg-muted"
                onClick={() => setMethod(known)}
              >
                {t(`${name}.tile`)}
              </MethodTile>
            ))}
          </div>
        </Section>
        <Aside />
      </div>
      {Below ? (
        <Suspense>
          <Below />
        </Suspense>
      ) : null}
      <Recent kind={history} />
      <RequestDialog page={page} method={method} action={action} onClose={() => setMethod(undefined)} />
    </Page>
  );
}
