import { useQuery } from '@tanstack/react-query';
import { TrendingDown, TrendingUp } from 'lucide-react';
import { use } from 'react';
import type { RateChange } from '@/api/contract';
import { MONEY } from '@/components/classes';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { useTexts } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { adminDashboard } from '@/i18n/en/admin-dashboard';
import { adminRate } from '@/i18n/en/admin-rate';
import { bdt, centsFromWire } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { OpenRateDialog } from '../rate/rate-dialog-context';
import { ratesQuery } from './queries';
import { SectionFailure } from './section-failure';

/** The change from the previous rate in percent, with one decimal. */
function changeOf(now: RateChange, before: RateChange | undefined): number | null {
  if (!before) return null;
  return Math.round(((now.usdToBdt - before.usdToBdt) / before.usdToBdt) * 1_000) / 10;
}

function Change({ percent }: { percent: number | null }) {
  const t = useTexts(adminDashboard);
  if (percent === null) return <span className="text-muted-foreground">{t('rate.first')}</span>;
  if (percent === 0) return <span className="text-muted-foreground">{t('rate.same')}</span>;
  const Icon = percent > 0 ? TrendingUp : TrendingDown;
  return (
    <span className="inline-flex items-center gap-1 lining-nums tabular-nums">
      <Icon className="size-4" aria-hidden="true" />
      {t(percent > 0 ? 'rate.up' : 'rate.down', { percent: Math.abs(percent) })}
    </span>
  );
}

function History({ rows, total }: { rows: readonly RateChange[]; total: number }) {
  const t = useTexts(adminDashboard);
  const tAdmin = useTexts(admin);
  // The last row is only for comparison.
  const shown = rows.length < total ? rows.slice(0, -1) : rows;
  return (
    <Table className="self-start" aria-label={t('rate.history')}>
      <TableHeader>
        <TableRow>
          <TableHead scope="col">{t('rate.since')}</TableHead>
          <TableHead scope="col" end>
            {tAdmin('rate')}
          </TableHead>
          <TableHead scope="col" end>
            {t('rate.change')}
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {shown.map((rate, index) => (
          <TableRow key={rate.setAt}>
            <TableCell className="lining-nums tabular-nums">
              {formatTime(rate.setAt, 'moment')}
              <span className="block text-sm text-muted-foreground">
                {t('rate.by', { name: rate.setBy?.username ?? t('operator') })}
              </span>
            </TableCell>
            <TableCell end className="font-semibold lining-nums tabular-nums">
              {bdt(centsFromWire(rate.usdToBdt))}
            </TableCell>
            <TableCell end>
              <Change percent={changeOf(rate, rows[index + 1])} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

export function Rates() {
  const t = useTexts(adminDashboard);
  const tAdmin = useTexts(admin);
  const tAdminRate = useTexts(adminRate);
  const openRate = use(OpenRateDialog);
  const query = useQuery(ratesQuery);
  const body = () => {
    if (query.isLoadingError) return <SectionFailure error={query.error} onRetry={() => void query.refetch()} />;
    if (!query.data) return <Skeleton className="h-40" />;
    const { rows, total } = query.data;
    const [present, before] = rows;
    if (!present) return <p className="text-muted-foreground">{tAdminRate('none')}</p>;
    return (
      <div className="grid gap-x-10 gap-y-5 wide:grid-cols-[200px_minmax(0,1fr)]">
        <div>
          <p className={`${MONEY} text-[clamp(1.75rem,1.4rem+1.5vw,2.5rem)]`}>{bdt(centsFromWire(present.usdToBdt))}</p>
          <p className="text-sm text-muted-foreground">{t('rate.oneDollar')}</p>
          <p className="mt-4 text-sm">
            <Change percent={changeOf(present, before)} />
          </p>
        </div>
        <History rows={rows} total={total} />
      </div>
    );
  };
  return (
    <Section
      title={tAdmin('rate')}
      className="mt-12"
      aside={
        <Button variant="outline" onClick={openRate}>
          {tAdminRate('setPlain')}
        </Button>
      }
    >
      {body()}
    </Section>
  );
}
