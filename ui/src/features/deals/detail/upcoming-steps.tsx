import type { ReactNode } from 'react';
import { Section } from '@/components/section';
import { isUnaccepted } from '@/entities/deal/rules';
import { useTexts } from '@/i18n';
import { deals } from '@/i18n/en/deals';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';
import type { DealView } from '../deal-view';

const STEP =
  'relative text-md text-muted-foreground before:absolute before:text-subtle-foreground after:absolute after:left-0 after:size-3 after:rounded-full after:border-2 after:border-subtle-foreground after:bg-background last:before:hidden max-xs:pb-4 max-xs:pl-7 max-xs:before:top-1.5 max-xs:before:-bottom-1.5 max-xs:before:left-1.25 max-xs:before:w-0.5 max-xs:before:bg-stitch-y max-xs:after:top-1.5 xs:pt-5.5 xs:pr-2.5 xs:before:inset-x-0 xs:before:top-1.25 xs:before:h-0.5 xs:before:bg-stitch-x xs:after:top-0';

const STATES = {
  done: 'after:border-foreground after:bg-foreground',
  next: 'font-semibold text-foreground after:border-foreground',
};

/** A step; its dot is filled once done, and the line to the next one is dashed. */
function Step({ state, text, children }: { state?: keyof typeof STATES | undefined; text: string; children: ReactNode }) {
  return (
    <li className={cn(STEP, state && STATES[state])} aria-current={state === 'next' ? 'step' : undefined}>
      {text}
      <small className="block text-caption font-normal text-muted-foreground">{children}</small>
    </li>
  );
}

export function UpcomingSteps({ view }: { view: DealView }) {
  const t = useTexts(deals);
  const { deal, side, other } = view;
  const buying = side === 'buyer';
  const name = other.username;
  const waits = isUnaccepted(deal);
  return (
    <Section title={buying ? t('after.you') : t('after.other', { name })}>
      <ol className="grid xs:auto-cols-fr xs:grid-flow-col">
        <Step state="done" text={t('after.offered')}>
          {formatTime(deal.createdAt, 'moment')}
        </Step>
        {waits ? (
          <Step state="next" text={t('after.accepted')}>
            {buying ? t('after.acceptedBuyer', { name }) : t('after.acceptedSeller')}
          </Step>
        ) : null}
        <Step state={waits ? undefined : 'next'} text={t('after.paid')}>
          {buying ? t('after.paidBuyer', { name }) : t('after.paidSeller')}
        </Step>
        <Step text={t('after.delivered')}>{t('after.by', { when: formatTime(deal.dueAt, 'moment') })}</Step>
        <Step text={t('after.completed')}>
          {buying ? t('after.completedBuyer') : t('after.completedSeller', { name })},{' '}
          {t('after.orDays', { count: deal.inspectionDays })}
        </Step>
      </ol>
    </Section>
  );
}
