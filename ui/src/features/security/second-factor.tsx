import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus, Smartphone } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { NewTOTP, Passkey, SecondFactor } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { PendingButton } from '@/components/pending-button';
import { QueryPart } from '@/components/query-part';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { secondFactorQuery } from '@/entities/user/second-factor/methods';
import { knowsPasskeys } from '@/entities/user/second-factor/passkey';
import { VerifyFirst } from '@/entities/user/verification';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { cn } from '@/lib/cn';
import { formatTime } from '@/lib/time';
import { CodesSection } from './backup-codes';
import { ConfirmRemoval } from './confirm-removal';
import type { PasskeyTask } from './passkey-dialogs';
import { useBeginTotp, useRemoveTotp } from './queries';

function State({ on }: { on: boolean }) {
  const t = useTexts(security);
  return (
    <span
      className={cn(
        'inline-flex flex-none items-center rounded-xs px-2.5 py-1 text-sm',
        on ? 'bg-status-done-tint text-status-done' : 'bg-secondary',
      )}
    >
      {t(on ? 'onState' : 'offState')}
    </span>
  );
}

const SetUpApp = lazyPart(
  () => import('./set-up-app'),
  ({ onClose }) => onClose(),
);

function TurnOff({ factor, onClose }: { factor: SecondFactor; onClose: () => void }) {
  const t = useTexts(security);
  return (
    <ConfirmRemoval title={t('off.title')} yes={t('off.yes')} no={t('keep')} mutation={useRemoveTotp(onClose)} onClose={onClose}>
      {t(factor.passkeys.length === 0 ? 'off.last' : 'off.other')} {t('off.others')}
    </ConfirmRemoval>
  );
}

function AppRow({ factor, locked }: { factor: SecondFactor; locked: boolean }) {
  const t = useTexts(security);
  const [fresh, setFresh] = useState<NewTOTP | null>(null);
  const [asked, setAsked] = useState(false);
  const begin = useBeginTotp(setFresh);
  const kept = factor.required && factor.passkeys.length === 0;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-y py-4">
      <div className="flex min-w-0 flex-[1_1_240px] gap-3">
        <Smartphone className="mt-0.5" aria-hidden="true" />
        <div className="grid min-w-0 justify-items-start gap-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <b className="font-semibold">{t('app')}</b>
            <State on={factor.totp} />
          </p>
          <p className="text-sm text-muted-foreground">{t(factor.totp && kept ? 'lastOne' : 'appText')}</p>
        </div>
      </div>
      {locked ? null : !factor.totp ? (
        <PendingButton pending={begin.isPending} onClick={() => begin.mutate()}>
          {t('appSetUp')}
        </PendingButton>
      ) : kept ? null : (
        <Button variant="outline" onClick={() => setAsked(true)}>
          {t('appOff')}
        </Button>
      )}
      {fresh ? (
        <Suspense>
          <SetUpApp totp={fresh} onClose={() => setFresh(null)} />
        </Suspense>
      ) : null}
      {asked ? <TurnOff factor={factor} onClose={() => setAsked(false)} /> : null}
    </div>
  );
}

const PasskeyDialogs = lazyPart(
  () => import('./passkey-dialogs'),
  ({ onClose }) => onClose(),
);

type LineProps = { passkey: Passkey; kept: boolean; onTask: (task: PasskeyTask) => void };

function PasskeyLine({ passkey, kept, onTask }: LineProps) {
  const t = useTexts(security);
  const { name, createdAt, lastUsedAt } = passkey;
  const used = lastUsedAt === null ? t('neverUsed') : t('lastUsed', { when: formatTime(lastUsedAt, 'moment') });
  const button = (task: 'rename' | 'remove') => (
    <Button variant="ghost" aria-label={t('ofPasskey', { action: t(task), name })} onClick={() => onTask({ task, passkey })}>
      {t(task)}
    </Button>
  );
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b py-3 wrap-anywhere">
      <div className="flex min-w-0 flex-[1_1_220px] gap-3">
        <KeyRound className="mt-0.5" aria-hidden="true" />
        <p className="min-w-0">
          <b className="font-semibold">{name}</b>
          <br />
          <span className="text-sm text-muted-foreground">
            {t('added', { when: formatTime(createdAt, 'day') })} · {used}
          </span>
          {kept ? (
            <>
              <br />
              <span className="text-sm text-muted-foreground">{t('lastOne')}</span>
            </>
          ) : null}
        </p>
      </div>
      <div className="-mx-3 flex flex-wrap">
        {button('rename')}
        {kept ? null : button('remove')}
      </div>
    </li>
  );
}

/** None can be added while it is `locked`. */
function Passkeys({ factor: { totp, passkeys, required }, locked }: { factor: SecondFactor; locked: boolean }) {
  const t = useTexts(security);
  const [task, setTask] = useState<PasskeyTask | null>(null);
  const last = !totp && passkeys.length === 1;
  return (
    <Section title={t('passkeys')}>
      <p className="text-sm text-muted-foreground">{t('passkeysText')}</p>
      {passkeys.length === 0 ? (
        <p className="mt-4 border-y py-4 text-muted-foreground">{t('noPasskeys')}</p>
      ) : (
        <ul className="mt-1">
          {passkeys.map((passkey) => (
            <PasskeyLine key={passkey._id} passkey={passkey} kept={required && last} onTask={setTask} />
          ))}
        </ul>
      )}
      <div className="mt-4">
        {locked ? null : knowsPasskeys() ? (
          <Button variant="outline" onClick={() => setTask({ task: 'add' })}>
            <Plus aria-hidden="true" />
            {t('addPasskey')}
          </Button>
        ) : (
          <p className="text-sm text-muted-foreground">{t('unsupported')}</p>
        )}
      </div>
      {task ? (
        <Suspense>
          <PasskeyDialogs open={task} last={last} onClose={() => setTask(null)} />
        </Suspense>
      ) : null}
    </Section>
  );
}

export function SecondFactorSection() {
  const t = useTexts(security);
  const { isVerified } = useMe();
  const query = useQuery(secondFactorQuery);
  const { data } = query;
  const on = data !== undefined && (data.totp || data.passkeys.length > 0);
  // Turning it on needs a mailed code.
  const locked = !on && !isVerified;
  return (
    <>
      <Section title={t('second')} aside={data ? <State on={on} /> : null}>
        <QueryPart query={query} skeleton={<Skeleton className="h-88" />}>
          {(factor) => (
            <>
              <p className="text-sm text-muted-foreground">{t(on ? 'secondOn' : 'secondOff')}</p>
              {factor.required ? <p className="mt-2 text-sm text-muted-foreground">{t('required')}</p> : null}
              <div className="mt-4 grid gap-4">
                {locked ? <VerifyFirst /> : null}
                <AppRow factor={factor} locked={locked} />
              </div>
            </>
          )}
        </QueryPart>
      </Section>
      {data ? <Passkeys factor={data} locked={locked} /> : null}
      {data && on ? <CodesSection left={data.backupCodesLeft} /> : null}
    </>
  );
}
