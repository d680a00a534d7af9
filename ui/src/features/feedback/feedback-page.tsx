import type { ReactNode } from 'react';
import { COLUMNS } from '@/components/classes';
import { Page } from '@/components/page';
import { Section } from '@/components/section';
import { useTexts } from '@/i18n';
import { feedback } from '@/i18n/en/feedback';

type Props = { kind: 'contact' | 'bug' /** List items beside the form. */; aside: ReactNode; children: ReactNode };

export function FeedbackPage({ kind, aside, children }: Props) {
  const t = useTexts(feedback);
  const title = t(`${kind}.title`);
  return (
    <Page title={title}>
      <h1 className="font-display text-display-lg">{title}</h1>
      <p className="mt-3 mb-8 max-w-measure text-lede text-muted-foreground">{t(`${kind}.lede`)}</p>
      <div className={COLUMNS}>
        {children}
        <Section title={t(`${kind}.aside`)} size="small">
          <ul className="mt-2 grid gap-3 wrap-anywhere text-muted-foreground">{aside}</ul>
        </Section>
      </div>
    </Page>
  );
}
