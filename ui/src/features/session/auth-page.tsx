import type { ReactNode } from 'react';
import { Glyph } from '@/components/khata/strip';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';
import './auth.css';

const STEPS = [
  ['buyer', 'aside.1'],
  ['amanat', 'aside.2'],
  ['seller', 'aside.3'],
] as const;

function MoneyAside() {
  const t = useTexts(auth);
  return (
    <aside className="auth__aside" aria-label={t('aside.title')}>
      <h2 className="d24">{t('aside.title')}</h2>
      <ol>
        {STEPS.map(([holder, text]) => (
          <li key={text}>
            <Glyph holder={holder} />
            <span>{t(text)}</span>
          </li>
        ))}
      </ol>
    </aside>
  );
}

/** Beside a form: what goes with it, in a few lines. */
export function WordsAside({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <aside className="auth__aside" aria-label={title}>
      <h2 className="d24">{title}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </aside>
  );
}

/** The frame of sign-up, log-in and the pages that mails lead to: the form, and beside it in three lines what the money does, or other words. */
export function AuthPage({
  title,
  lede,
  below,
  aside = <MoneyAside />,
  children,
}: {
  title: string;
  lede: string;
  below?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Page title={title}>
      <div className="auth">
        <section className="auth__form">
          <h1 className="d40">{title}</h1>
          <p className="lede m">{lede}</p>
          <div className="auth__fields">{children}</div>
          {below ? <div className="auth__below">{below}</div> : null}
        </section>
        {aside}
      </div>
    </Page>
  );
}
