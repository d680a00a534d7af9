import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Hourglass, type LucideIcon, ShieldCheck } from 'lucide-react';
import type { Report } from '@/api/contract';
import { EmptyState } from '@/components/empty-state';
import { EmptyStrip } from '@/components/empty-strip';
import { Page } from '@/components/page';
import { ShowMore } from '@/components/pager';
import { QueryPart } from '@/components/query-part';
import { SkeletonPage } from '@/components/skeleton-page';
import { Badge, type BadgeVariant } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useTexts } from '@/i18n';
import { report as catalogue } from '@/i18n/en/report';
import { rowsOf, totalOf } from '@/lib/rows';
import { formatTime } from '@/lib/time';
import { myReportsQuery, REPORTS_PAGE } from './queries';

const LOOKS: Record<'open' | 'action_taken' | 'no_violation', { variant: BadgeVariant; icon: LucideIcon }> = {
  open: { variant: 'pending', icon: Hourglass },
  action_taken: { variant: 'completed', icon: ShieldCheck },
  no_violation: { variant: 'cancelled', icon: CircleCheck },
};

function Subject({ report: { subject, subjectName: name } }: { report: Report }) {
  const t = useTexts(catalogue);
  if (subject === 'message' || subject === 'review') return <b className="font-semibold">{t(`subject.${subject}`, { name })}</b>;
  return (
    <>
      <span className="text-sm text-muted-foreground">{t(`subject.${subject}`)}</span>
      <b className="block font-semibold">{name}</b>
    </>
  );
}

function Line({ report }: { report: Report }) {
  const t = useTexts(catalogue);
  const state = report.outcome === '' ? 'open' : report.outcome;
  const { variant, icon: Icon } = LOOKS[state];
  return (
    <li className="grid gap-x-6 gap-y-2 border-b py-4 wrap-anywhere sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p>
          <Subject report={report} />
        </p>
        <p className="mt-1">{t(`reason.${report.reason}`)}</p>
        {report.text === '' ? null : (
          <p className="mt-1 overflow-clip whitespace-pre-line text-muted-foreground">{report.text}</p>
        )}
      </div>
      <div className="grid content-start justify-items-start gap-1 sm:w-60">
        <Badge variant={variant}>
          <Icon aria-hidden="true" />
          {t(`status.${state}`)}
        </Badge>
        <p className="text-sm text-muted-foreground">{t(`outcome.${state}`)}</p>
        <p className="text-sm text-muted-foreground">
          {report.decidedAt === null
            ? t('reportedOn', { when: formatTime(report.createdAt, 'day') })
            : t('decidedOn', { when: formatTime(report.decidedAt, 'day') })}
        </p>
      </div>
    </li>
  );
}

function Reports() {
  const t = useTexts(catalogue);
  const list = useInfiniteQuery(myReportsQuery);
  const skeleton = (
    <SkeletonPage part>
      <Skeleton className="h-24" />
      <Skeleton className="mt-4 h-24" />
    </SkeletonPage>
  );
  return (
    <QueryPart query={list} failure={t('listFailed')} skeleton={skeleton}>
      {({ pages }) => {
        const reports = rowsOf(pages);
        if (reports.length === 0) {
          return (
            <EmptyState title={t('none')} text={t('noneText')} picture={<EmptyStrip />}>
              <Button variant="outline" asChild>
                <Link to="/explore">{t('toMarket')}</Link>
              </Button>
            </EmptyState>
          );
        }
        return (
          <>
            <ul className="border-t-2 border-foreground">
              {reports.map((report) => (
                <Line key={report._id} report={report} />
              ))}
            </ul>
            <ShowMore
              rest={totalOf(pages) - reports.length}
              step={REPORTS_PAGE}
              busy={list.isFetchingNextPage}
              error={list.isFetchNextPageError ? list.error : null}
              more={() => void list.fetchNextPage()}
            />
          </>
        );
      }}
    </QueryPart>
  );
}

/** /reports: the user's reports and their outcome. */
export function ReportsPage() {
  const t = useTexts(catalogue);
  return (
    <Page title={t('page')}>
      <header className="mb-8">
        <h1 className="font-display text-display-lg">{t('page')}</h1>
        <p className="mt-2 text-muted-foreground">{t('pageText')}</p>
      </header>
      <Reports />
    </Page>
  );
}
