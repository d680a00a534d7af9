import { RotateCw, WifiOff } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { CASH, CONTAINER, MONEY, NAV_LINE, SHELL, STACK } from '@/components/classes';
import { Note } from '@/components/note';
import { Page } from '@/components/page';
import { Facts, Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { type LastSeen, readLastSeen, type SeenDeal } from '@/entities/deal/last-seen';
import { StatusBadge } from '@/entities/deal/status-badge';
import { useLanguage, useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { dealLine } from '@/i18n/en/deal-line';
import { offline } from '@/i18n/en/offline';
import { cn } from '@/lib/cn';
import { usd } from '@/lib/money';
import { formatTime } from '@/lib/time';

function AsOf({ at }: { at: number }) {
  const t = useTexts(offline);
  return (
    <time className="text-sm text-muted-foreground" dateTime={new Date(at).toISOString()}>
      {t('asOf', { when: formatTime(at, 'moment') })}
    </time>
  );
}

function DealLine({ title, status, price, other }: SeenDeal) {
  const t = useTexts(offline);
  const tDealLine = useTexts(dealLine);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-3 wrap-anywhere">
      <p className="flex-[1_1_160px]">
        <b className="font-semibold">{title || tDealLine('untitled')}</b>
        <br />
        <span className="text-sm text-muted-foreground">{t('with', { name: other })}</span>
      </p>
      <p className="flex flex-col items-end gap-x-4 gap-y-1 sm:flex-row sm:items-center">
        <StatusBadge status={status} />
        <span className={CASH}>{usd(price)}</span>
      </p>
    </li>
  );
}

function SeenDeals({ at, value: { rows, total } }: NonNullable<LastSeen['deals']>) {
  const t = useTexts(offline);
  const more = total - rows.length;
  return (
    <Section title={t('deals')} aside={<AsOf at={at} />}>
      {rows.length > 0 ? (
        <ul>
          {rows.map((deal) => (
            <DealLine key={deal._id} {...deal} />
          ))}
        </ul>
      ) : (
        <p className="text-muted-foreground">{t('noDeals')}</p>
      )}
      {more > 0 ? <p className="mt-3 text-sm text-muted-foreground">{t('moreDeals', { count: more })}</p> : null}
    </Section>
  );
}

const SECOND = 1_000;
const FIRST_DELAY = SECOND;
const MAX_DELAY = 30 * SECOND;
const TIMEOUT = 10 * SECOND;

/** The service worker passes HEAD to the network. A proxy without a server answers 5xx. */
async function isReachable(signal: AbortSignal): Promise<boolean> {
  try {
    const { status } = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store', signal });
    return status < 500;
  } catch {
    return false;
  }
}

/**
 * Calls `onReturn` once the site can be reached. The browser's `online` event is not enough: it may
 * fire before this page has loaded or before the network works, and not at all if the device stayed
 * connected to a network without internet. So the page asks on that event, when it becomes visible,
 * and at growing intervals while it is visible.
 */
function useReturn(onReturn: () => void): void {
  const returned = useEffectEvent(onReturn);
  useEffect(() => {
    let delay = FIRST_DELAY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: AbortController | undefined;

    const stop = () => {
      clearTimeout(timer);
      current?.abort();
      current = undefined;
    };
    const wait = () => {
      timer = setTimeout(() => void ask(), delay);
      delay = Math.min(2 * delay, MAX_DELAY);
    };
    // A reload would cancel another navigation. If that fails, this page keeps asking.
    const leave = () => {
      stop();
      delay = MAX_DELAY;
      wait();
    };
    const ask = async () => {
      stop();
      if (document.visibilityState === 'hidden') return;
      const request = new AbortController();
      current = request;
      timer = setTimeout(() => request.abort(), TIMEOUT);
      const reachable = await isReachable(request.signal);
      if (current !== request) return;
      stop();
      if (reachable) returned();
      else wait();
    };
    const hurry = () => {
      delay = FIRST_DELAY;
      void ask();
    };

    window.addEventListener('online', hurry);
    document.addEventListener('visibilitychange', hurry);
    window.addEventListener('beforeunload', leave);
    wait();
    return () => {
      window.removeEventListener('online', hurry);
      document.removeEventListener('visibilitychange', hurry);
      window.removeEventListener('beforeunload', leave);
      stop();
    };
  }, []);
}

/** The logo without its link, which could not open. */
function Name() {
  const t = useTexts(common);
  const bangla = useLanguage() === 'bn';
  return (
    <div className="inline-flex min-h-11 items-center gap-2.5">
      <svg className="size-8 flex-none" aria-hidden="true">
        <use href="#mark" />
      </svg>
      <svg className={cn('mt-0.5 h-5.5 w-auto', bangla ? 'aspect-[3.6]' : 'aspect-[4.533]')} aria-hidden="true">
        <use href={bangla ? '#word-bn' : '#word'} />
      </svg>
      <span className="sr-only">{t('amanat')}</span>
    </div>
  );
}

function Balance({ at, value }: NonNullable<LastSeen['balance']>) {
  const t = useTexts(offline);
  const why = useId();
  return (
    <Section title={t('balance')} aside={<AsOf at={at} />}>
      <div className={STACK}>
        <p className={`text-4xl ${MONEY}`}>
          <span className="sr-only">{t('own')} </span>
          {usd(value.own)}
        </p>
        <Facts rows={[[t('held'), usd(value.inEscrow)]]} />
        <div className="flex min-w-0 flex-wrap gap-3">
          <Button disabled aria-describedby={why}>
            {t('deposit')}
          </Button>
          <Button disabled variant="outline" aria-describedby={why}>
            {t('withdraw')}
          </Button>
        </div>
        <p id={why} className="text-sm text-muted-foreground">
          {t('noMoney')}
        </p>
      </div>
    </Section>
  );
}

/**
 * Shown for any address without a network: the data this device saw last, with their time. Opens
 * the address once the site can be reached.
 */
export function OfflinePage({ reload = () => window.location.reload() }: { reload?: () => void }) {
  const t = useTexts(offline);
  const tCommon = useTexts(common);
  const [seen] = useState(() => readLastSeen());
  useReturn(reload);
  return (
    <div className={SHELL}>
      <header className="border-b max-md:pt-2">
        <div className={cn(CONTAINER, NAV_LINE)}>
          <Name />
        </div>
      </header>
      <Page title={t('title')}>
        <div className={cn(STACK, 'gap-10')}>
          <div className={cn(STACK, 'max-w-measure')}>
            <h1 className="font-display text-display-lg">{t('title')}</h1>
            <p className="text-muted-foreground">{t('text')}</p>
            <div>
              <Button variant="outline" onClick={reload}>
                <RotateCw aria-hidden="true" />
                {tCommon('retry')}
              </Button>
            </div>
            <Note kind={seen ? 'wait' : 'info'} icon={<WifiOff aria-hidden="true" />}>
              {t(seen ? 'old' : 'nothing')}
            </Note>
          </div>
          <div className="grid gap-10 lg:grid-cols-2 lg:items-start lg:gap-12">
            {seen?.balance ? <Balance {...seen.balance} /> : null}
            {seen?.deals ? <SeenDeals {...seen.deals} /> : null}
          </div>
        </div>
      </Page>
    </div>
  );
}
