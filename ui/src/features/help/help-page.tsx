import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { Page } from '@/components/page';
import { TAB_LINK, TabsNav } from '@/components/tabs-nav';
import { buttonVariants } from '@/components/ui/button';
import { useMaybeMe } from '@/entities/user/queries';
import { useTexts } from '@/i18n';
import { help } from '@/i18n/en/feedback';

const SUBJECTS = [
  ['/support', 'deal'],
  ['/reportabug', 'site'],
  ['/contactus', 'other'],
] as const;

/** Help: one question, whose answers are pages, and what the chosen one asks for. */
export function HelpPage({ title, children }: { title: string; children: ReactNode }) {
  const t = useTexts(help);
  const me = useMaybeMe();
  const question = useId();
  return (
    <Page title={title}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-3">
        <h1 className="font-display text-display-lg">{t('title')}</h1>
        {me ? (
          <Link to="/reports" className={buttonVariants({ variant: 'link' })}>
            {t('reports')}
          </Link>
        ) : null}
      </div>
      <p id={question} className="mt-4 font-semibold">
        {t('about')}
      </p>
      <TabsNav className="mb-8 max-w-160" aria-labelledby={question}>
        {SUBJECTS.map(([to, name]) => (
          <Link key={to} to={to} className={TAB_LINK}>
            {t(name)}
          </Link>
        ))}
      </TabsNav>
      {children}
    </Page>
  );
}
