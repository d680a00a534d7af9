import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
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
import { useReturnFocus } from '@/hooks/use-return-focus';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { wallet } from '@/i18n/en/wallet';
import { cn } from '@/lib/cn';
import { type HistoryKind, HistoryView, useHistory } from '../history/history';
import { MethodTile } from './method-tile';
import { METHODS } from './methods';

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

type Props = {
  kind: HistoryKind;
  title: string;
  lede: string;
  choose: string;
  /** Under the name of each method. */
  tile: string;
  /** Beside the tiles. */
  aside: ReactNode;
  /** The method whose dialog is open. */
  method: PaymentMethod | undefined;
  onMethod: (method: PaymentMethod | undefined) => void;
  dialogTitle: (method: PaymentMethod) => string;
  /** The dialog's inside. */
  form: (method: PaymentMethod) => ReactNode;
};

/** The page of deposits and the one of withdrawals: choose Nagad or Bkash, which opens the form; below, the latest ones. */
export function MethodPage({ kind, title, lede, choose, tile, aside, method, onMethod, dialogTitle, form }: Props) {
  const t = useTexts(wallet);
  const focus = useReturnFocus();
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
      <p className="mt-2 max-w-measure text-lede text-muted-foreground">{lede}</p>
      <div className={cn(COLUMNS, 'mt-12')}>
        <Section title={choose}>
          <div className="grid gap-3 sm:grid-cols-2">
            {METHODS.map((known) => (
              <MethodTile
                key={known}
                method={known}
                className="min-h-19 px-4.5 transition-[border-color] hover:border-foreground hover:bg-muted"
                onClick={() => onMethod(known)}
              >
                {tile}
              </MethodTile>
            ))}
          </div>
        </Section>
        {aside}
      </div>
      <Recent kind={kind} />
      <Dialog open={method !== undefined} onOpenChange={(open) => (open ? null : onMethod(undefined))}>
        {method ? (
          <DialogPanel
            title={dialogTitle(method)}
            onOpenAutoFocus={(event) => {
              // The form takes it to its first field.
              event.preventDefault();
              focus.remember(event);
              if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
            }}
            onCloseAutoFocus={focus.giveBack}
          >
            <Suspense fallback={<FormSkeleton />}>{form(method)}</Suspense>
          </DialogPanel>
        ) : null}
      </Dialog>
    </Page>
  );
}
