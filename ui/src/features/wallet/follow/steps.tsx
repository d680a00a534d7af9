import type { ReactNode } from 'react';
import type { Deposit, DepositWait } from '@/api/contract';
import { useWaitText } from '@/entities/wallet/deposits';
import { useTexts } from '@/i18n';
import { depositFollow } from '@/i18n/en/deposit';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';

type State = 'done' | 'now' | 'next' | 'bad';

const DOTS: Record<State, string> = {
  done: 'border-foreground bg-foreground',
  now: 'border-pen bg-background ring-4 ring-pen-tint',
  next: 'border-subtle-foreground bg-background',
  bad: 'border-destructive bg-destructive',
};

type StepProps = { state: State; last?: boolean; title: string; children?: ReactNode };

function Step({ state, last = false, title, children }: StepProps) {
  return (
    <li
      aria-current={state === 'now' ? 'step' : undefined}
      className={cn(
        'relative grid gap-0.5 pb-6 pl-8',
        !last && 'before:absolute before:top-4 before:-bottom-1.5 before:left-1.25 before:w-0.5',
        !last && (state === 'done' ? 'before:bg-foreground' : 'before:bg-stitch-y before:text-subtle-foreground'),
      )}
    >
      <i className={cn('absolute top-1.5 left-0 size-3 rounded-full border-2', DOTS[state])} aria-hidden="true" />
      <b
        className={cn(
          'font-semibold',
          state === 'next' && 'font-normal text-muted-foreground',
          state === 'bad' && 'text-destructive',
        )}
      >
        {title}
      </b>
      {children ? <div className="grid gap-0.5 text-sm text-muted-foreground [&_p]:text-sm">{children}</div> : null}
    </li>
  );
}

export function Steps({ deposit, wait }: { deposit: Deposit; wait: DepositWait }) {
  const t = useTexts(depositFollow);
  const waitText = useWaitText();
  const { status, handledAt, createdAt, reasonCode } = deposit;
  const pending = status === 'pending';
  const failed = status === 'Failed';
  const ended = handledAt === null ? null : <time dateTime={handledAt}>{formatTime(handledAt, 'moment')}</time>;
  const outcome = failed ? (reasonCode === 'retracted' ? 'step.withdrawn' : 'step.notCredited') : 'step.credited';
  return (
    <ol>
      <Step state="done" title={t('step.reported')}>
        <time dateTime={createdAt}>{formatTime(createdAt, 'moment')}</time>
      </Step>
      <Step state={pending ? 'now' : 'done'} title={t(pending ? 'step.checking' : 'step.checked')}>
        {pending ? <p>{waitText(wait, deposit)}</p> : null}
      </Step>
      <Step last state={pending ? 'next' : failed ? 'bad' : 'done'} title={t(pending ? 'step.toCredit' : outcome)}>
        {pending ? null : ended}
      </Step>
    </ol>
  );
}
