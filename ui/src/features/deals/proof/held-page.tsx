import { useQuery } from '@tanstack/react-query';
import { AddressNote } from '@/components/address-note';
import { CLOTH, MONEY } from '@/components/classes';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { SealMark } from '@/components/seal-mark';
import { Facts } from '@/components/section';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useTexts } from '@/i18n';
import { proof as catalogue } from '@/i18n/en/deal-links';
import { cn } from '@/lib/cn';
import { isApiError } from '@/lib/errors';
import { centsFromWire, usd } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { heldQuery } from './queries';

export function HeldGone() {
  const t = useTexts(catalogue);
  return (
    <MissingPage title={t('gone')} text={t('goneText')}>
      <a href="/">{t('home')}</a>
    </MissingPage>
  );
}

/** /held/{code}: shows publicly, without names, whether a deal's money is held. It polls. */
export function HeldPage({ code }: { code: string }) {
  const t = useTexts(catalogue);
  const { data: held, error } = useQuery(heldQuery(code));
  if (!held || isApiError(error, 'not_found')) return <HeldGone />;
  const open = held.closedAt === null;
  const when = formatTime(held.at, 'clock');
  return (
    <Page title={t('page.title')} className="wrap-anywhere">
      <div className="mx-auto grid w-full max-w-140 gap-8">
        <section className={open ? `${CLOTH} p-5 xs:p-8` : 'border-t-4 border-foreground pt-5'} aria-live="polite">
          <h1 className="flex items-center gap-2 font-display text-display-md">
            {open ? <SealMark large /> : null}
            {t(open ? 'held' : 'ended')}
          </h1>
          <p className={`${MONEY} mt-3 text-[clamp(36px,12vw,64px)] ${open ? '' : 'text-muted-foreground line-through'}`}>
            {usd(centsFromWire(held.amount))}
          </p>
          <p className="mt-3">{open ? t('heldText') : t(held.status === 'Completed' ? 'ended.Completed' : 'ended.Cancelled')}</p>
        </section>
        <div>
          <Facts
            rows={[
              [t(open ? 'since' : 'paid'), formatTime(held.since, 'moment')],
              [t('status'), <StatusBadge key="status" status={held.status} />],
              ...(held.closedAt ? [[t('closed'), formatTime(held.closedAt, 'moment')] as const] : []),
            ]}
          />
          <p className={cn('mt-3 text-sm', error ? 'font-semibold text-destructive' : 'text-muted-foreground')}>
            {t(error ? 'stale' : 'live', { when })}
          </p>
        </div>
        <AddressNote path={`/held/${code}`} />
      </div>
    </Page>
  );
}
