import { Link } from '@tanstack/react-router';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { account } from '@/i18n/en/account';
import { common } from '@/i18n/en/common';
import { AuthPage, WordsAside } from './auth-page';
import { useLinkToken } from './link-token';
import { isBadToken, useStopWithdrawal } from './mail-links';

function Stop({ token }: { token: string }) {
  const t = useTexts(account);
  const c = useTexts(common);
  const stop = useStopWithdrawal(token);
  if (stop.isSuccess) {
    const { outcome } = stop.data;
    return (
      <OutcomePanel kind={outcome === 'sent' ? 'bad' : 'done'} title={t(`stop.${outcome}`)} text={t(`stop.${outcome}Text`)}>
        {outcome === 'cancelled' || outcome === 'cancelling' ? null : (
          <Button asChild>
            <Link to="/contactus">{t('stop.support')}</Link>
          </Button>
        )}
      </OutcomePanel>
    );
  }
  if (token === '') return <OutcomePanel kind="bad" title={t('confirm.missing')} text={t('verify.missingText')} />;
  if (isBadToken(stop.error)) {
    return (
      <OutcomePanel key="over" kind="bad" title={t('stop.over')} text={t('stop.overText')}>
        <Button asChild>
          <Link to="/forgot-password">{t('stop.reset')}</Link>
        </Button>
      </OutcomePanel>
    );
  }
  return (
    <div className={STACK}>
      <Failure error={stop.error} fallback={t('failed')} />
      <PendingButton
        size="lg"
        className="w-full"
        variant="destructive"
        pending={stop.isPending}
        pendingText={c('sending')}
        onClick={() => stop.mutate()}
      >
        {t('stop.submit')}
      </PendingButton>
    </div>
  );
}

/** /not-me: says what will happen, and does it with one press. Opening the page does nothing. */
export function NotMePage() {
  const t = useTexts(account);
  const token = useLinkToken();
  return (
    <AuthPage
      title={t('stop.title')}
      lede={t('stop.lede')}
      aside={<WordsAside title={t('stop.aside')} lines={[t('stop.aside.1'), t('stop.aside.2'), t('stop.aside.3')]} />}
    >
      <Stop key={token} token={token} />
    </AuthPage>
  );
}
