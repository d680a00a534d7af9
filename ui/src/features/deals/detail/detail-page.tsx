import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { MessageSquareText } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { DealDetail } from '@/api/contract';
import { CopyButton } from '@/components/copy-button';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { Breadcrumb, BreadcrumbItem, BreadcrumbLink, BreadcrumbList, BreadcrumbSeparator } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { useStartChat } from '@/entities/chat/use-start-chat';
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
import { chat } from '@/i18n/en/chat';
import { deals } from '@/i18n/en/deals';
import { isApiError } from '@/lib/errors';
import { preload } from '@/lib/prefetch';
import { useNow } from '@/lib/server-clock';
import { ActionBar } from '../actions/action-bar';
import { ActionPanel } from '../actions/action-panel';
import { type DealActions, useDealActions } from '../actions/use-deal-actions';
import { CounterofferCard } from '../counteroffer/counteroffer-card';
import { DealFlags, useRelation } from '../deal-flags';
import { type DealView, isParty, viewOf, wordsOf } from '../deal-view';
import ProofCard from '../proof/proof-card';
import { useReview } from '../review/use-review';
import { DealDatesList, DealHold, DealMoney } from './deal-money';
import { DealTimeline, UpcomingSteps } from './deal-timeline';
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

/** Opens the conversation of the parties; a new one starts with a greeting that names the deal. */
function MessageButton({ view: { deal, other } }: { view: DealView }) {
  const t = useTexts(chat);
  const { start, pending } = useStartChat();
  // Nobody reads it any more. The inbox has the old messages.
  if (other.closed) return null;
  return (
    <Button
      variant="link"
      className="max-lg:-order-3"
      aria-disabled={pending || undefined}
      onClick={() => start({ receiverId: other._id, dealId: deal._id })}
    >
      <MessageSquareText className="size-4" aria-hidden="true" />
      {t('messageOther', { name: other.username })}
    </Button>
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

function Words({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const { deal, mine, side, other } = view;
  const name = other.username;
  const offer = mine ? t('words.yours') : t(side === 'buyer' ? 'words.offers' : 'words.wants', { name });
  return (
    <Section title={deal.status === 'Pending' && deal.terms === 1 ? offer : t('words.agreed')}>
      {deal.descriptionErased ? (
        <p className="text-muted-foreground">{t('words.erased')}</p>
      ) : (
        <p className="max-w-measure overflow-clip whitespace-pre-line">{wordsOf(deal.description)}</p>
      )}
    </Section>
  );
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
  const pending = deal.status === 'Pending';
  const releases = view.side === 'buyer' && deal.status === 'Delivered';
  useEffect(() => {
    if (releases) preload(loadReview);
  }, [releases]);
  useEffect(() => preload(loadQuestions), []);
  const questions = useLatePart(loadQuestions, actions.asked !== null, actions.close);
  const reviewDialog = useLatePart(loadReview, review.open, () => review.setOpen(false));
  return (
    <Page title={titleOf(deal)} className="pb-28 wrap-anywhere md:pb-28 lg:pb-24 [&_dd]:whitespace-nowrap">
      <DealHead view={view} />
      <CounterofferCard view={view} actions={actions} />
      {/* On a narrow screen one column: the message button, the hold, the move, then the rest. */}
      <div className="flex flex-col gap-12 lg:grid lg:grid-cols-[minmax(0,1fr)_344px] lg:items-start">
        <div className="grid min-w-0 content-start gap-12 *:min-w-0 max-lg:contents">
          <DealHold view={view} />
          {pending ? (
            <>
              <Words view={view} />
              <UpcomingSteps view={view} />
              <DealTimeline view={view} />
            </>
          ) : (
            <>
              <DealTimeline view={view} />
              <Words view={view} />
            </>
          )}
        </div>
        <aside className="grid gap-8 max-lg:contents lg:sticky lg:top-6" aria-label={t('aside')}>
          <ActionPanel view={view} actions={actions} onReview={() => review.setOpen(true)} headingRef={heading} />
          <DealMoney view={view} />
          <DealDatesList view={view} />
          <MessageButton view={view} />
          {pending ? null : <ProofCard view={view} />}
        </aside>
      </div>
      <ActionBar view={view} actions={actions} />
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
