import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { STACK } from '@/components/classes';
import { Failure } from '@/components/failure';
import { OutcomePanel } from '@/components/outcome-panel';
import { PendingButton } from '@/components/pending-button';
import { Button } from '@/components/ui/button';
import { useTexts } from '@/i18n';
import { stopSearches } from '@/i18n/en/stop-searches';
import { api, send } from '@/lib/api';
import { AuthPage } from './auth-page';
import { isBadToken } from './mail-links';

/** /unsubscribe?of=searches: stops the emails about saved searches on a press. */
export function StopSearchesPage({ token = '' }: { token: string | undefined }) {
  const t = useTexts(stopSearches);
  const stop = useMutation({
    mutationFn: () => send(api.POST('/mail/unsubscribe', { params: { query: { token, of: 'searches' } } })),
    meta: { quiet: true },
  });
  return (
    <AuthPage title={t('title')} lede={t('lede')} aside={null}>
      {stop.isSuccess ? (
        <OutcomePanel kind="done" title={t('done')} text={t('doneText')}>
          <Button asChild>
            <Link to="/saved" search={{ tab: 'searches' }}>
              {t('searches')}
            </Link>
          </Button>
        </OutcomePanel>
      ) : token === '' || isBadToken(stop.error) ? (
        <OutcomePanel kind="bad" title={t('over')} text={t('overText')} />
      ) : (
        <div className={STACK}>
          <Failure error={stop.error} fallback={t('failed')} />
          <PendingButton size="lg" className="w-full" pending={stop.isPending} onClick={() => stop.mutate()}>
            {t('submit')}
          </PendingButton>
        </div>
      )}
    </AuthPage>
  );
}
