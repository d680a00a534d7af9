import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Decision } from '@/api/contract';
import { STACK } from '@/components/classes';
import { LoadFailed } from '@/components/load-failed';
import { OutcomePanel } from '@/components/outcome-panel';
import { SkeletonPage } from '@/components/skeleton-page';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { Appeal, DecisionFacts, decisionMeaning, decisionTitle } from '@/entities/moderation/decision-parts';
import { useTexts } from '@/i18n';
import { decision as catalogue } from '@/i18n/en/decision';
import { api, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { AuthPage, WordsAside } from './auth-page';
import { isBadToken, useLinkToken } from './mail-links';

/** The link's decision. Reading it does not use the link up, so it loads by itself. */
function useOpened(token: string) {
  const [sent, setSent] = useState<Decision | null>(null);
  const opened = useMutation({ mutationFn: () => send(api.POST('/appeals/open', { body: { token } })), meta: { quiet: true } });
  const { mutate } = opened;
  useEffect(() => {
    if (token !== '') mutate();
  }, [token, mutate]);
  return { decision: sent ?? opened.data?.decision, error: opened.error, retry: () => mutate(), setSent };
}

/** The link is used, expired or incomplete. */
function NoLink({ missing }: { missing: boolean }) {
  const t = useTexts(catalogue);
  return (
    <OutcomePanel
      kind="bad"
      title={t(missing ? 'link.missing' : 'link.over')}
      text={t(missing ? 'link.missingText' : 'link.overText')}
    >
      <Button asChild>
        <Link to="/contactus">{t('contact')}</Link>
      </Button>
    </OutcomePanel>
  );
}

function Opened({ token }: { token: string }) {
  const t = useTexts(catalogue);
  const { decision, error, retry, setSent } = useOpened(token);
  const [spent, setSpent] = useState(false);
  const sendAppeal = (text: string) =>
    send(api.POST('/appeals', { body: { token, text } })).catch((refused: unknown) => {
      // The appeal may have arrived although its response was lost.
      if (isBadToken(refused)) setSpent(true);
      throw refused;
    });
  if (token === '') return <NoLink missing />;
  if (spent || isBadToken(error)) return <NoLink missing={false} />;
  if (error) return <LoadFailed error={error} fallback={t('failed')} onRetry={retry} />;
  if (!decision) {
    return (
      <SkeletonPage part>
        <Skeleton className="h-12 w-4/5" />
        <Skeleton className="mt-4 h-30" />
      </SkeletonPage>
    );
  }
  return (
    <div className={cn(STACK, 'gap-7')}>
      <header>
        <h2 className="font-display text-display-sm">{decisionTitle(t, decision)}</h2>
        <p className="mt-1 text-muted-foreground">{decisionMeaning(t, decision)}</p>
      </header>
      <DecisionFacts decision={decision} />
      <Appeal decision={decision} send={sendAppeal} onSent={setSent} />
    </div>
  );
}

/** /appeal: the decision of a mailed link, and the appeal of a user who cannot log in. */
export function AppealPage() {
  const t = useTexts(catalogue);
  const token = useLinkToken();
  return (
    <AuthPage
      title={t('link')}
      lede={t('linkLede')}
      aside={<WordsAside title={t('link.aside')} lines={[t('link.aside.1'), t('link.aside.2'), t('link.aside.3')]} />}
    >
      <Opened key={token} token={token} />
    </AuthPage>
  );
}
