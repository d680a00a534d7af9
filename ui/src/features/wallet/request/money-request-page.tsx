import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { type ComponentType, Suspense, useEffect } from 'react';
import type { PaymentMethod } from '@/api/contract';
import { COLUMNS } from '@/components/classes';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import {
  Breadcrumb,
  BreadcrumbItem,
  BreadcrumbLink,
  BreadcrumbList,
  BreadcrumbPage,
  BreadcrumbSeparator,
} from '@/components/ui/breadcrumb';
import { useCloseAddress } from '@/hooks/use-close-address';
import { type Translate, useTexts } from '@/i18n';
import type { khata } from '@/i18n/en/khata';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { preload } from '@/lib/prefetch';
import { type HistoryKind, HistoryView, useHistory } from '../history/history';
import { MethodTile } from './method-tile';
import { METHODS } from './methods';
import { type Done, RequestDialog } from './request-dialog';
import { type MoneyRequest, type RequestValues, useMoneyRequest } from './use-money-request';
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
