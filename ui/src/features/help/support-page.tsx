import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import * as z from 'zod/mini';
import type { Deal, DealStatus } from '@/api/contract';
import { COLUMNS, STACK } from '@/components/classes';
import { Crumbs } from '@/components/crumbs';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { FormField } from '@/components/form-field';
import { Note } from '@/components/note';
import { Page } from '@/components/page';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import { Textarea } from '@/components/ui/textarea';
import { holderOf } from '@/entities/deal/khata/holder';
import { dealListQuery, dealQuery } from '@/entities/deal/queries';
import { isRunning } from '@/entities/deal/status';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useDealTitle } from '@/entities/deal/use-deal-line';
import { useMe } from '@/entities/user/queries';
import { useMoneyAction } from '@/entities/wallet/operations';
import { useDraftForm } from '@/hooks/use-draft-form';
import { useStillHere } from '@/hooks/use-still-here';
import { type Key, translate, useTexts } from '@/i18n';
import { disputeBanner } from '@/i18n/en/deal-page';
import { support } from '@/i18n/en/support';
import { api, idempotent, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { textDraft } from '@/lib/draft';
import { errorText } from '@/lib/errors';
import { outcomeText } from '@/lib/outcomes';
import { lengthOf } from '@/lib/rules';
import { HelpPage } from './help-page';

const say = (key: Key<typeof support>): Key<typeof support> => key;

const MAX_ISSUE = 5_000;

const supportSchema = z.object({
  issueDescription: z.string().check(
    z.trim(),
    z.minLength(1, { error: say('required'), abort: true }),
    z.refine((text) => lengthOf(text) <= MAX_ISSUE, say('long')),
  ),
});
type SupportValues = z.infer<typeof supportSchema>;

/** Sends the request and leads to the deal, whose clock is now stopped. */
function useSupport(dealId: string) {
  const me = useMe();
  const navigate = useNavigate();
  const here = useStillHere();
  return useMoneyAction({
    call: ({ issueDescription }: SupportValues, key) => {
      // The server knows the user, but the call includes them (docs/rules.md#wire).
      const body = { userId: me._id, username: me.username, dealId, issueDescription };
      return send(api.POST('/deals/support', { body, headers: idempotent(key) }));
    },
    success: (done) => outcomeText(done, translate(support, 'sent')),
    fallback: () => translate(support, 'failed'),
    onDone: () => {
      if (here()) void navigate({ to: '/deal/$dealId', params: { dealId }, replace: true });
    },
  });
}

const EMPTY: SupportValues = { issueDescription: '' };

function SupportForm({ dealId }: { dealId: string }) {
  const t = useTexts(support);
  const action = useSupport(dealId);
  const me = useMe();
  const { form, submit, errorOf } = useDraftForm({
    schema: supportSchema,
    t,
    empty: EMPTY,
    draft: textDraft(`support:${me._id}:${dealId}`),
    mutation: { isPending: action.isPending },
    onSubmit: (values) => action.runAsync(values),
  });
  return (
    <form className={cn(STACK, 'gap-6')} noValidate onSubmit={submit}>
      <FormField label={t('dealId')} help={t('dealIdHelp')}>
        {(control) => <Input {...control} value={dealId} readOnly />}
      </FormField>
      <FormField label={t('issue')} help={t('issueHelp')} error={errorOf('issueDescription')}>
        {(control) => <Textarea rows={7} {...control} {...form.register('issueDescription')} />}
      </FormField>
      <div role="alert" className="empty:absolute">
        {action.error ? <Note kind="bad">{errorText(action.error, t('failed'))}</Note> : null}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <PendingButton type="submit" pending={action.phase !== 'idle'}>
          {t('send')}
        </PendingButton>
        <Button variant="outline" asChild>
          <Link to="/deal/$dealId" params={{ dealId }}>
            {t('back')}
          </Link>
        </Button>
      </div>
    </form>
  );
}

function Choice({ deal }: { deal: Deal }) {
  const t = useTexts(support);
  const me = useMe()._id;
  const other = deal.buyer._id === me ? deal.seller : deal.buyer;
  const title = useDealTitle()(deal);
  return (
    <li>
      <Link
        to="/support"
        search={{ dealId: deal._id }}
        state={{ deal: { _id: deal._id, title } }}
        className="flex min-h-16 items-center gap-3 border-b py-3 wrap-anywhere no-underline hover:bg-muted hover:text-inherit"
      >
        <span className="min-w-0 flex-1">
          <b className="font-semibold">{title || t('deal')}</b>
          <small className="block text-sm text-muted-foreground">{t('with', { name: other.username })}</small>
        </span>
        <StatusBadge status={deal.status} />
        <ChevronRight className="size-4" aria-hidden="true" />
      </Link>
    </li>
  );
}

function DealChoice() {
  const t = useTexts(support);
  const query = useQuery(dealListQuery);
  const { data } = query;
  const toDeals = (
    <Button variant="outline" asChild>
      <Link to="/deal">{t('toDeals')}</Link>
    </Button>
  );
  if (data?.rows.length === 0) {
    return (
      <EmptyState picture={<EmptyStrip />} title={t('none')} text={t('noneText')}>
        {toDeals}
      </EmptyState>
    );
  }
  return (
    <Section title={t('none')} className="max-w-160">
      <QueryPart query={query} skeleton={<Skeleton className="h-48" />}>
        {({ rows }) => (
          <ul>
            {rows.map((deal) => (
              <Choice key={deal._id} deal={deal} />
            ))}
          </ul>
        )}
      </QueryPart>
      {data && data.total > data.rows.length ? toDeals : null}
    </Section>
  );
}

type Step = 'next1' | 'next2' | 'next3' | 'next4';

/** Only money in trust has a clock to stop; only open deals can still be settled by the parties. */
function stepsOf(status: DealStatus | undefined): readonly Step[] {
  if (status === 'Pending') return ['next2', 'next3'];
  if (status !== undefined && holderOf(status) === 'amanat') return ['next1', 'next2', 'next3', 'next4'];
  return ['next2'];
}

function Next({ dealId }: { dealId: string }) {
  const t = useTexts(support);
  const { data: deal } = useQuery(dealQuery(dealId));
  return (
    <Section title={t('next')} size="small">
      <ol className="mt-2 grid list-decimal gap-3 pl-6 text-muted-foreground [:lang(bn)_&]:list-[bengali]">
        {stepsOf(deal?.status).map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
    </Section>
  );
}

/** Recommends writing in the dispute, which both parties and all admins read. */
function Disputed({ dealId }: { dealId: string }) {
  const t = useTexts(support);
  const tDisputeBanner = useTexts(disputeBanner);
  const { dispute } = useQuery(dealQuery(dealId)).data ?? {};
  if (!dispute || !isRunning(dispute.status)) return null;
  return (
    <Note kind="info" className="mb-8 max-w-200">
      <p>{t('disputed')}</p>
      <Button asChild variant="outline" className="mt-3">
        <Link to="/disputes/$id" params={{ id: dispute._id }}>
          {tDisputeBanner('toDispute')}
        </Link>
      </Button>
    </Note>
  );
}

/** /support: asks an admin for help with a deal, or first which deal it is about. */
export function SupportPage({ dealId, dealTitle }: { dealId: string | undefined; dealTitle: string | undefined }) {
  const t = useTexts(support);
  if (dealId === undefined) {
    return (
      <HelpPage title={t('title')}>
        <DealChoice />
      </HelpPage>
    );
  }
  return (
    <Page title={t('title')}>
      <Crumbs
        label={t('deal')}
        links={[
          <Link key="deal" to="/deal/$dealId" params={{ dealId }}>
            {dealTitle ?? t('deal')}
          </Link>,
        ]}
        page={t('title')}
      />
      <h1 className="font-display text-display-lg">{t('title')}</h1>
      <p className="mt-3 mb-8 max-w-measure text-lede text-muted-foreground">{t('lede')}</p>
      <Disputed dealId={dealId} />
      <div className={COLUMNS}>
        <SupportForm key={dealId} dealId={dealId} />
        <Next dealId={dealId} />
      </div>
    </Page>
  );
}
