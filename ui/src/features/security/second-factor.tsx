import { useQuery } from '@tanstack/react-query';
import { LoadFailed } from '@/components/load-failed';
import { Section } from '@/components/section';
import { Skeleton } from '@/components/ui/skeleton';
import { useMe } from '@/entities/user/queries';
import { secondFactorQuery } from '@/entities/user/second-factor/queries';
import { VerifyFirst } from '@/entities/user/second-factor/verify-first';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { AppRow } from './app-row';
import { CodesSection } from './codes-section';
import { Passkeys } from './passkeys';
import { State } from './state';

export function SecondFactor() {
  const t = useTexts(security);
  const { isVerified } = useMe();
  const { data, error, isError, isFetching, refetch } = useQuery(secondFactorQuery);
  if (!data) {
    return (
      <Section title={t('second')}>
        {isError ? <LoadFailed error={error} busy={isFetching} onRetry={() => void refetch()} /> : <Skeleton className="h-88" />}
      </Section>
    );
  }
  const on = data.totp || data.passkeys.length > 0;
  // Turning it on needs a mailed code.
  const locked = !on && !isVerified;
  return (
    <>
      <Section title={t('second')} aside={<State on={on} />}>
        <p className="text-sm text-muted-foreground">{t(on ? 'secondOn' : 'secondOff')}</p>
        {data.required ? <p className="mt-2 text-sm text-muted-foreground">{t('required')}</p> : null}
        <div className="mt-4 grid gap-4">
          {locked ? <VerifyFirst /> : null}
          <AppRow factor={data} locked={locked} />
        </div>
      </Section>
      <Passkeys factor={data} locked={locked} />
      {on ? <CodesSection left={data.backupCodesLeft} /> : null}
    </>
  );
}
