import { KeyRound, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Passkey, SecondFactor } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { Section } from '@/components/section';
import { Button } from '@/components/ui/button';
import { knowsPasskeys } from '@/entities/user/second-factor/passkey';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { formatTime } from '@/lib/time';
import type { PasskeyTask } from './passkey-dialogs';

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
export function Passkeys({ factor: { totp, passkeys, required }, locked }: { factor: SecondFactor; locked: boolean }) {
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
