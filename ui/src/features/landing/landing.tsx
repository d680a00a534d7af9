import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { CLOTH, CONTAINER, MONEY, STITCHED } from '@/components/classes';
import { lazyPart } from '@/components/lazy-part';
import { Page } from '@/components/page';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { Hold, HoldTaka } from '@/entities/deal/khata/hold';
import { useTaka } from '@/entities/wallet/exchange-rate';
import { useTexts } from '@/i18n';
import { landing } from '@/i18n/en/landing';
import { shell } from '@/i18n/en/shell';
import { api, send } from '@/lib/api';
import { aboutBdt, centsFromWire, count, usd, usdWhole } from '@/lib/money';
import { EXAMPLE, LandingSection } from './sections';

function Cover() {
  const t = useTexts(landing);
  const tShell = useTexts(shell);
  const taka = useTaka('gets');
  return (
    <>
      <section data-cover="" className={`overflow-hidden pt-6 pb-22 md:pt-12 md:pb-48 ${CLOTH} ${STITCHED}`}>
        <div className={CONTAINER}>
          <h1 className="font-display text-display-2xl *:block">
            <span>{t('hero.1')}</span> <span>{t('hero.2')}</span>
          </h1>
          <div className="mt-6 grid gap-6 md:mt-8 xl:grid-cols-[minmax(0,1.1fr)_auto] xl:items-end xl:gap-12">
            <p className="max-w-[34em] text-lede">{t('hero.lede')}</p>
            <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
              <Button variant="inverse" asChild>
                <Link to="/signup">{tShell('start')}</Link>
              </Button>
              <Link
                className="inline-flex min-h-11 items-center font-semibold"
                to="/signup"
                search={{ redirect: '/dashboard#link' }}
              >
                {t('hero.link')}
              </Link>
            </div>
          </div>
        </div>
      </section>
      <div className="relative z-2 -mt-16 md:-mt-34">
        <div className={CONTAINER}>
          <Hold
            cover
            holder="amanat"
            buyer={{ name: t('nusrat'), sum: usd(EXAMPLE.price), note: t('hero.paid') }}
            amanat={{
              sum: usd(EXAMPLE.price),
              note: (
                <>
                  <HoldTaka>{taka ? aboutBdt(taka(EXAMPLE.price)) : null}</HoldTaka>
                  {t('hero.held')}
                </>
              ),
            }}
            seller={{ name: t('tanvir'), sum: usd(EXAMPLE.payout), note: t('hero.whenYes') }}
          />
          <p className="flex flex-wrap justify-between gap-x-6 pt-3 text-sm text-muted-foreground">
            <span>{t('hero.who')}</span>
            <span>{t('hero.example')}</span>
          </p>
        </div>
      </div>
    </>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="border-t-2 border-foreground pt-2.5">
      <dt className="text-md text-muted-foreground">{label}</dt>
      <dd className={`${MONEY} mt-1 text-[clamp(1.625rem,1.2rem+1.9vw,2.5rem)]`}>{children}</dd>
    </div>
  );
}

/** Counters and promises. The counters are omitted until the server has answered. */
function Proof() {
  const t = useTexts(landing);
  const { data, isError } = useQuery({
    queryKey: ['public-stats'],
    queryFn: ({ signal }) => send(api.GET('/public/public-stats', { signal })),
    staleTime: 5 * 60_000,
    meta: { quiet: true },
  });
  return (
    <LandingSection>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-6 md:gap-8 lg:grid-cols-4">
        {isError ? null : (
          <>
            <Figure label={t('proof.usd')}>
              {data ? (
                usdWhole(centsFromWire(data.totalDepositAmount + data.usdOffset))
              ) : (
                <Skeleton className="h-[1em] w-[6ch]" />
              )}
            </Figure>
            <Figure label={t('proof.users')}>
              {data ? count(data.totalUsers + data.userOffset) : <Skeleton className="h-[1em] w-[5ch]" />}
            </Figure>
          </>
        )}
        <Figure label={t('proof.fee')}>{t('proof.feeValue')}</Figure>
        <Figure label={t('proof.silent')}>{t('proof.back')}</Figure>
      </dl>
    </LandingSection>
  );
}

// Hydrated after the cover; its text is prerendered.
const Below = lazyPart(() => import('./below-fold'));

export function Landing() {
  const t = useTexts(landing);
  return (
    <Page title={t('page')} bareTitle bare late>
      <Cover />
      <Proof />
      <Suspense>
        <Below />
      </Suspense>
    </Page>
  );
}
