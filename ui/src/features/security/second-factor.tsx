import { useQuery } from '@tanstack/react-query';
import { LoadFailed } from '@/components/load-failed';
import { Section } from '@/components/section';
import { Skeleton } from '@/components/ui/skeleton';
import { secondFactorQuery } from '@/entities/user/second-factor/queries';
import { useTexts } from '@/i18n';
import { security } from '@/i18n/en/security';
import { AppRow } from './app-row';
import { CodesSection } from './codes-section';
import { Passkeys } from './passkeys';
import { State } from './state';

/** Two-step login: the authenticator app, the passkeys and the backup codes. */
export function SecondFactor() {
  const t = useTexts(security);
  const { data, error, isError, isFetching, refetch } = useQuery(secondFactorQuery);
  if (!data) {
    return (
      <Section title={t('second')}>
        {isError ? <LoadFailed error={error} busy={isFetching} onRetry={() => void refetch()} /> : <Skeleton className="h-88" />}
      </Section>
    );
  }
  const on = data.totp || data.passkeys.length > 0;
  return (
    <>
      <Section title={t('second')} aside={<State on={on} />}>
        <p className="text-sm text-muted-foreground">{t(on ? 'secondOn' : 'secondOff')}</p>
        {data.required ? <p className="mt-2 text-sm text-muted-foreground">{t('required')}</p> : null}
        <div className="mt-4">
          <AppRow factor={data} />
        </div>
      </Section>
      <Passkeys factor={data} />
      {on ? <CodesSection left={data.backupCodesLeft} /> : null}
    </>
  );
}
