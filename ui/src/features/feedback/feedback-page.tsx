import type { ReactNode } from 'react';
import { Section } from '@/components/khata/section';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { feedback } from '@/i18n/en/feedback';
import './feedback.css';

type Props = { kind: 'contact' | 'bug' /** List items beside the form. */; aside: ReactNode; children: ReactNode };

/** The frame of both forms: the form, and beside it what helps. */
export function FeedbackPage({ kind, aside, children }: Props) {
  const t = useTexts(feedback);
  const title = t(`${kind}.title`);
  return (
    <Page title={title} className="feedbackpage">
      <h1 className="d40">{title}</h1>
      <p className="lede m measure feedbacklede">{t(`${kind}.lede`)}</p>
      <div className="cols">
        {children}
        <Section title={t(`${kind}.aside`)} size="small">
          <ul className="feedbackwords">{aside}</ul>
        </Section>
      </div>
    </Page>
  );
}
