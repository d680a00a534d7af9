import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { Section } from '@/components/khata/section';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { support } from '@/i18n/en/support';
import { DealChoice } from './deal-choice';
import { SupportForm } from './support-form';
import './support.css';

const STEPS = ['next1', 'next2', 'next3', 'next4'] as const;

function Next() {
  const t = useTexts(support);
  return (
    <Section title={t('next')} size="small">
      <ol className="supportsteps">
        {STEPS.map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
    </Section>
  );
}

/** /support: the call for an admin about one deal. */
export function SupportPage({ dealId, dealTitle }: { dealId: string | undefined; dealTitle: string | undefined }) {
  const t = useTexts(support);
  return (
    <Page title={t('title')} className="supportpage">
      {dealId === undefined ? null : (
        <div className="crumbs">
          <Link to="/deal/$dealId" params={{ dealId }}>
            {dealTitle ?? t('deal')}
          </Link>
          <ChevronRight className="i16" aria-hidden="true" />
          <span className="m">{t('title')}</span>
        </div>
      )}
      <h1 className="d40">{t('title')}</h1>
      {dealId === undefined ? (
        <DealChoice />
      ) : (
        <>
          <p className="lede m measure supportlede">{t('lede')}</p>
          <div className="cols">
            <SupportForm key={dealId} dealId={dealId} />
            <Next />
          </div>
        </>
      )}
    </Page>
  );
}
