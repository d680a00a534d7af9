import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { DealDetail } from '@/api/contract';
import { COLUMNS } from '@/components/classes';
import { CopyButton } from '@/components/copy-button';
import { Page } from '@/components/page';
import { Breadcrumb, BreadcrumbItem, BreadcrumbLink, BreadcrumbList, BreadcrumbSeparator } from '@/components/ui/breadcrumb';
import { dealQuery } from '@/entities/deal/queries';
import { StatusBadge } from '@/entities/deal/status-badge';
import { shortId } from '@/entities/deal/title';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { useMe } from '@/entities/user/queries';
import { UserAvatar } from '@/entities/user/user-avatar';
import { UserName } from '@/entities/user/user-name';
import { useLatePart } from '@/hooks/use-late-part';
import { useStillHere } from '@/hooks/use-still-here';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { isApiError } from '@/lib/errors';
import { preload } from '@/lib/prefetch';
import { useNow } from '@/lib/server-clock';
import { ActionBar } from '../actions/action-bar';
import { ActionPanel } from '../actions/action-panel';
import { type DealActions, useDealActions } from '../actions/use-deal-actions';
import { CounterofferCard } from '../counteroffer/counteroffer-card';
import { DealFlags, useRelation } from '../deal-flags';
import { type DealView, isParty, viewOf } from '../deal-view';
import ProofCard from '../proof/proof-card';
import { useReview } from '../review/use-review';
import { DealFigures, DealHold } from './deal-money';
import { DealTimeline } from './deal-timeline';
import { AgreedTerms, LastDelivery, OfferedTerms, Shipment } from './deal-words';
import { useStatusSentence } from './status-sentence';

function DealHead({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const titleOf = useDealTitle();
  const { deal, other } = view;
  const sentence = useStatusSentence(view);
  const relation = useRelation()(deal);
  return (
    <>
      <Breadcrumb aria-label={t('crumb')}>
        <BreadcrumbList>
          <BreadcrumbItem>
            <BreadcrumbLink asChild>
              <Link to="/deal">{t('crumb')}</Link>
            </BreadcrumbLink>
          </BreadcrumbItem>
          <BreadcrumbSeparator />
          <BreadcrumbItem>
            <CopyButton
              value={deal._id}
              label={t('copyId')}
              done={t('idCopied')}
              variant="link"
              className="px-1 font-normal text-muted-foreground tabular-nums no-underline hover:text-pen"
            >
              {t('id', { id: shortId(deal._id) })}
            </CopyButton>
          </BreadcrumbItem>
        </BreadcrumbList>
      </Breadcrumb>
      <div className="mb-6 grid gap-3">
        <h1 className="-my-2 overflow-clip py-2 font-display text-display-lg">{titleOf(deal)}</h1>
        {/* First after the title for screen readers, but visually above the hold. */}
        <p className="order-3 max-w-[76ch] text-[clamp(1.0625rem,1rem+0.2vw,1.1875rem)]" role="status" aria-live="polite">
          <b className="font-semibold">{sentence.lead}</b> {sentence.rest}
        </p>
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <StatusBadge status={deal.status} />
          <DealFlags deal={deal} />
          <div className="inline-flex min-h-11 min-w-0 items-center gap-2.5">
            <UserAvatar name={other.username} picture={other.profilePic} size="sm" />
            <span>
              <UserName user={other} className="font-semibold" /> <span className="text-muted-foreground">{relation}</span>
            </span>
          </div>
        </div>
      </div>
    </>
  );
}

function focusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function returnFocus(element: HTMLElement | null): boolean {
  if (!element?.isConnected) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/** Returns the focus after a dialog to its button, or else to the panel's heading. */
function useFocusKeeper(actions: DealActions, state: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLElement>(null);
  const before = useRef({ asked: actions.asked, state });
  useEffect(() => {
    const { asked: askedBefore, state: stateBefore } = before.current;
    before.current = { asked: actions.asked, state };
    if (askedBefore === actions.asked && stateBefore === state) return;
    // After the closing dialog has released the focus.
    const timer = setTimeout(() => {
      if (focusLost() && !returnFocus(opener.current)) heading.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [actions.asked, state]);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      // The last focused element outside a dialog.
      if (target instanceof HTMLElement && target.closest('[role="alertdialog"], [role="dialog"]') === null)
        opener.current = target;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, []);
  return { heading, opener };
}

const loadQuestions = async () => ({ default: (await import('../actions/action-dialogs')).ActionDialogs });

const loadReview = () => import('../review/review-dialog');

function Detail({ deal }: { deal: DealDetail }) {
  const t = useTexts(deals);
  const titleOf = useDealTitle();
  const view = viewOf(deal, useMe(), useNow());
  const review = useReview(view);
  const actions = useDealActions(view);
  const { heading, opener } = useFocusKeeper(actions, `${deal.status} ${deal.terms} ${deal.counteroffer?._id}`);
  const releases = view.side === 'buyer' && deal.status === 'Delivered';
  useEffect(() => {
    if (releases) preload(loadReview);
  }, [releases]);
  useEffect(() => preload(loadQuestions), []);
  const questions = useLatePart(loadQuestions, actions.asked !== null, actions.close);
  const reviewDialog = useLatePart(loadReview, review.open, () => review.setOpen(false));
  return (
    <Page title={titleOf(deal)} className="pb-10 wrap-anywhere has-data-bottom-bar:pb-24 [&_dd]:whitespace-nowrap">
      <DealHead view={view} />
      {/* Fixed at the bottom, but early for the keyboard and screen readers. */}
      <ActionBar view={view} actions={actions} />
      <CounterofferCard view={view} actions={actions} />
      <div className={cn(COLUMNS, 'lg:grid-rows-[auto_1fr]')}>
        <div className="grid min-w-0 content-start gap-8 *:min-w-0">
          <OfferedTerms view={view} />
          <Shipment view={view} />
          <LastDelivery view={view} />
          <DealHold view={view} />
        </div>
        <aside className="lg:sticky lg:top-6 lg:col-start-2 lg:row-span-2 lg:row-start-1" aria-label={t('aside')}>
          <ActionPanel view={view} actions={actions} onReview={() => review.setOpen(true)} headingRef={heading} />
        </aside>
        <div className="min-w-0 border-t-2 border-foreground">
          <AgreedTerms view={view} />
          <DealTimeline view={view} />
          <DealFigures view={view} />
          {deal.status === 'Pending' ? null : <ProofCard view={view} />}
        </div>
      </div>
      {questions ? <questions.Part view={view} actions={actions} opener={opener} /> : null}
      {reviewDialog ? <reviewDialog.Part view={view} review={review} /> : null}
    </Page>
  );
}

/** Leads to the list if the deal is removed, and an admin who is no party to the admin area. */
export function DealPage({ id }: { id: string }) {
  const t = useTexts(deals);
  const navigate = useNavigate();
  const here = useStillHere();
  const me = useMe();
  const { data, error } = useSuspenseQuery({ ...dealQuery(id), meta: { fallback: () => t('fetchFailed') } });
  const gone = isApiError(error) && error.status === 404;
  useEffect(() => {
    if (gone && here()) void navigate({ to: '/deals', replace: true });
  }, [gone, navigate, here]);
  if (!isParty(data, me)) return <Navigate to="/admin/deals" search={{ dealId: id, review: id }} replace />;
  return <Detail deal={data} />;
}
