import { Smartphone } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { NewTOTP, SecondFactor } from '@/api/contract';
import { lazyPart } from '@/components/lazy-part';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { common } from '@/i18n/en/common';
import { security } from '@/i18n/en/security';
import { ConfirmRemoval } from './confirm-removal';
import { State } from './state';
import { useBeginTotp, useRemoveTotp } from './use-factor';

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

export function AppRow({ factor, locked }: { factor: SecondFactor; locked: boolean }) {
  const t = useTexts(security);
  const tCommon = useTexts(common);
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
        <PendingButton pending={begin.isPending} pendingText={tCommon('sending')} onClick={() => begin.mutate()}>
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
