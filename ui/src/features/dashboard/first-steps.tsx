import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, Circle, CircleCheck, Link2, type LucideIcon, Search, Store } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DealTotals } from '@/api/contract';
import { Section } from '@/components/section';
import { Badge } from '@/components/ui/badge';
import { buttonVariants } from '@/components/ui/button';
import { useMe } from '@/entities/user/queries';
import { pendingDepositsQuery } from '@/entities/wallet/deposits';
import { walletQuery } from '@/entities/wallet/queries';
import { useTexts } from '@/i18n';
import { dashboard } from '@/i18n/en/dashboard';

type Step = { key: 'verified' | 'money' | 'deal'; done: boolean };

const FINISHED = new Set(['Completed', 'Cancelled', 'Cancelled by Buyer', 'Cancelled by Seller']);

/** The first steps; empty once all are done or a deal has ended. */
function stepsOf(verified: boolean, money: number, { statuses }: DealTotals): Step[] {
  if (statuses.some(({ status, deals }) => deals > 0 && FINISHED.has(status))) return [];
  const steps: Step[] = [
    { key: 'verified', done: verified },
    { key: 'money', done: money > 0 },
    { key: 'deal', done: statuses.some(({ deals }) => deals > 0) },
  ];
  return steps.every(({ done }) => done) ? [] : steps;
}

export function Checklist({ totals }: { totals: DealTotals }) {
  const t = useTexts(dashboard);
  const me = useMe();
  const { wallet, inEscrow, pendingWithdrawal } = useSuspenseQuery(walletQuery).data;
  const checking = (useQuery(pendingDepositsQuery).data?.deposits.length ?? 0) > 0;
  const steps = stepsOf(me.isVerified, wallet + inEscrow + pendingWithdrawal, totals);
  if (steps.length === 0) return null;
  const done = steps.filter((step) => step.done).length;
  return (
    <Section
      title={t('steps.title')}
      aside={<Badge variant="count">{t('steps.done', { done, count: steps.length })}</Badge>}
      className="mb-10 wide:mb-14"
    >
      <ul className="grid wide:grid-cols-3 wide:gap-x-8">
        {steps.map((step) => {
          const Icon = step.done ? CircleCheck : Circle;
          return (
            <li key={step.key} className="flex min-h-12 items-center gap-3 border-b py-1.5">
              <Icon className="size-5 flex-none" aria-hidden="true" />
              <span className={step.done ? 'text-muted-foreground' : 'font-semibold'}>
                {step.key === 'money' && !step.done && !checking ? (
                  <Link to="/deposit" className={buttonVariants({ variant: 'link' })}>
                    {t('steps.money')}
                  </Link>
                ) : (
                  t(`steps.${step.key}`)
                )}{' '}
                <span className="sr-only">{t(step.done ? 'steps.isDone' : 'steps.isOpen')}</span>
              </span>
              {step.key === 'money' && !step.done && checking ? (
                <span className="ml-auto text-sm text-muted-foreground">{t('steps.checking')}</span>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

const LINE = 'flex min-h-16 w-full items-center gap-4 border-b py-3 text-start no-underline hover:bg-muted hover:text-inherit';

function Words({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <>
      <Icon className="size-6 flex-none" aria-hidden="true" />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <b className="font-semibold">{title}</b>
        <span className="text-sm text-muted-foreground">{children}</span>
      </span>
      <ArrowRight className="flex-none" aria-hidden="true" />
    </>
  );
}

/** "What would you like to do?", without any deal: buy, sell, or send a link of an agreed deal. */
export function FirstSteps({ onDeal }: { onDeal: () => void }) {
  const t = useTexts(dashboard);
  return (
    <Section title={t('first.title')} className="mb-10 wide:mb-14">
      <ul>
        <li>
          <Link to="/explore" className={LINE}>
            <Words icon={Search} title={t('first.buy')}>
              {t('first.buyText')}
            </Words>
          </Link>
        </li>
        <li>
          <Link to="/posts/create" className={LINE}>
            <Words icon={Store} title={t('first.sell')}>
              {t('first.sellText')}
            </Words>
          </Link>
        </li>
        <li>
          <button type="button" className={LINE} onClick={onDeal}>
            <Words icon={Link2} title={t('first.deal')}>
              {t('first.dealText')}
            </Words>
          </button>
        </li>
      </ul>
    </Section>
  );
}
