import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type ComponentType, Suspense, useEffect } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { COLUMNS } from '@/components/classes';
import { DialogPanel } from '@/components/dialog-panel';
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
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { useCloseAddress } from '@/hooks/use-close-address';
import { useReturnFocus } from '@/hooks/use-return-focus';
import { type Translate, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { prefetch } from '@/lib/prefetch';
import { type HistoryKind, HistoryView, useHistory } from '../history/history';
import { MethodTile } from './method-tile';
import { METHODS } from './methods';
import { type MoneyRequest, type RequestValues, requestDraft, useMoneyRequest } from './use-money-request';
import type { RequestFormProps } from './use-request-form';

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

/** The form is a chunk of its own: most who look at the page have not chosen yet. */
function FormSkeleton() {
  const c = useTexts(common);
  return (
    <SkeletonPage part label={c('loading')}>
      <div className="grid gap-4">
        <Skeleton className="h-24" />
        <Skeleton className="h-30" />
        <Skeleton className="h-13" />
      </div>
    </SkeletonPage>
  );
}

/** The page of deposits or that of withdrawals. */
export type RequestPage<V extends RequestValues> = {
  path: '/deposit' | '/withdraw';
  /** Prefix of its texts. */
  name: 'deposit' | 'withdraw';
  history: HistoryKind;
  request: MoneyRequest<V>;
  /** Beside the tiles. */
  Aside: ComponentType;
  /** Below them, over the latest requests. */
  Below?: ComponentType;
  titleOf: (t: Translate<typeof wallet>, k: Translate<typeof khata>, method: PaymentMethod) => string;
  /** The chunk of the form. */
  loadForm: () => Promise<unknown>;
  Form: ComponentType<RequestFormProps<V>>;
};

/** The dialog of a method stands in the address: a reload and the phone's Back button do what they should. */
function useMethod(path: '/deposit' | '/withdraw') {
  const { method } = useSearch({ strict: false });
  const navigate = useNavigate();
  const closeAddress = useCloseAddress('method');
  return {
    method,
    choose: (chosen: PaymentMethod) => void navigate({ to: path, search: { method: chosen }, state: true, resetScroll: false }),
    close: () => closeAddress(() => void navigate({ to: path, search: {}, state: true, replace: true, resetScroll: false })),
  };
}

/** Choose Nagad or Bkash, which opens the form; below, the latest requests. */
export function MoneyRequestPage<V extends RequestValues>({ page }: { page: RequestPage<V> }) {
  const { path, name, history, request, Aside, Below, titleOf, loadForm, Form } = page;
  const t = useTexts(wallet);
  const k = useTexts(khata);
  const me = useMe();
  const router = useRouter();
  const { method, choose, close } = useMethod(path);
  const focus = useReturnFocus();
  // Before the first click, but not before the page.
  useEffect(() => prefetch(loadForm()), [loadForm]);
  const action = useMoneyRequest(request, () => {
    // The user may be on another page by now.
    if (router.state.location.pathname === path) close();
  });
  const setMethod = (chosen: PaymentMethod | undefined) => {
    if (action.phase === 'idle') action.reset();
    if (chosen) choose(chosen);
    else close();
  };
  const title = t(name);
  return (
    <Page title={title}>
      <Breadcrumb aria-label={t('balance')}>
        <BreadcrumbList>
          <BreadcrumbItem>
            <BreadcrumbLink asChild>
              <Link to="/balance">{t('balance')}</Link>
            </BreadcrumbLink>
          </BreadcrumbItem>
          <BreadcrumbSeparator>/</BreadcrumbSeparator>
          <BreadcrumbItem>
            <BreadcrumbPage>{title}</BreadcrumbPage>
          </BreadcrumbItem>
        </BreadcrumbList>
      </Breadcrumb>
      <h1 className="font-display text-display-lg">{title}</h1>
      <p className="mt-2 max-w-measure text-lede text-muted-foreground">{t(`${name}.lede`)}</p>
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
      <Dialog back={false} open={method !== undefined} onOpenChange={(open) => (open ? null : setMethod(undefined))}>
        {method ? (
          <DialogPanel
            title={titleOf(t, k, method)}
            onOpenAutoFocus={(event) => {
              // The form takes it to its first field.
              event.preventDefault();
              focus.remember(event);
              if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
            }}
            onCloseAutoFocus={focus.giveBack}
          >
            <Suspense fallback={<FormSkeleton />}>
              <Form key={method} method={method} action={action} draft={requestDraft(name, me._id, method)} />
            </Suspense>
          </DialogPanel>
        ) : null}
      </Dialog>
    </Page>
  );
}
