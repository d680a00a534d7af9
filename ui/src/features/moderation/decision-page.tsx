import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { STACK } from '@/components/classes';
import { MissingPage } from '@/components/missing-page';
import { Page } from '@/components/page';
import { Appeal, DecisionFacts, decisionMeaning, decisionQuery, decisionTitle } from '@/entities/moderation/decision-parts';
import { useTexts } from '@/i18n';
import { decision as catalogue, decision } from '@/i18n/en/decision';
import { api, idempotent, send } from '@/lib/api';
import { cn } from '@/lib/cn';
import { useKeyed } from '@/lib/idempotency';
import { HOME } from '@/lib/redirect';

export function DecisionMissing() {
  const t = useTexts(decision);
  return (
    <MissingPage title={t('missing')} text={t('missingText')}>
      <Link to={HOME}>{t('toDashboard')}</Link>
    </MissingPage>
  );
}

/** /decisions/{id}: a decision about the reader, and their appeal. */
export function DecisionPage({ id }: { id: string }) {
  const t = useTexts(catalogue);
  const queryClient = useQueryClient();
  const { data: decision } = useSuspenseQuery(decisionQuery(id));
  const keyed = useKeyed((text: string, key) =>
    send(api.POST('/decisions/{id}/appeal', { params: { path: { id } }, body: { text }, headers: idempotent(key) })),
  );
  return (
    <Page title={t('page')}>
      <div className={cn(STACK, 'max-w-160 gap-8')}>
        <header>
          <h1 className="font-display text-display-lg wrap-anywhere">{decisionTitle(t, decision)}</h1>
          <p className="mt-2 text-lede text-muted-foreground">{decisionMeaning(t, decision)}</p>
        </header>
        <DecisionFacts decision={decision} linked />
        <Appeal decision={decision} send={keyed} onSent={(sent) => queryClient.setQueryData(decisionQuery(id).queryKey, sent)} />
      </div>
    </Page>
  );
}
