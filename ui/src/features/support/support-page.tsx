import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DealStatus } from '@/api/contract';
import { COLUMNS } from '@/components/classes';
import { Note } from '@/components/note';
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
import { Button } from '@/components/ui/button';
import { dealQuery } from '@/entities/deal/detail-query';
import { isRunning } from '@/entities/deal/dispute/running';
import { holderOf } from '@/entities/deal/khata/holder';
import { useTexts } from '@/i18n';
import { disputeBanner } from '@/i18n/en/dispute-banner';
import { support } from '@/i18n/en/support';
import { DealChoice } from './deal-choice';
import { SupportForm } from './support-form';

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

/** /support: asks an admin for help with a deal. */
export function SupportPage({ dealId, dealTitle }: { dealId: string | undefined; dealTitle: string | undefined }) {
  const t = useTexts(support);
  return (
    <Page title={t('title')}>
      {dealId === undefined ? null : (
        <Breadcrumb aria-label={t('deal')}>
          <BreadcrumbList className="wrap-anywhere">
            <BreadcrumbItem>
              <BreadcrumbLink asChild>
                <Link to="/deal/$dealId" params={{ dealId }}>
                  {dealTitle ?? t('deal')}
                </Link>
              </BreadcrumbLink>
            </BreadcrumbItem>
            <BreadcrumbSeparator />
            <BreadcrumbItem>
              <BreadcrumbPage>{t('title')}</BreadcrumbPage>
            </BreadcrumbItem>
          </BreadcrumbList>
        </Breadcrumb>
      )}
      <h1 className="font-display text-display-lg">{t('title')}</h1>
      {dealId === undefined ? (
        <DealChoice />
      ) : (
        <>
          <p className="mt-3 mb-8 max-w-measure text-lede text-muted-foreground">{t('lede')}</p>
          <Disputed dealId={dealId} />
          <div className={COLUMNS}>
            <SupportForm key={dealId} dealId={dealId} />
            <Next dealId={dealId} />
          </div>
        </>
      )}
    </Page>
  );
}
