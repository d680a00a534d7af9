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

/** The frame of sign-up and log-in: the form, and beside it in three lines what the money does. */
export function AuthPage({
  title,
  lede,
  below,
  children,
}: {
  title: string;
  lede: string;
  below: ReactNode;
  children: ReactNode;
}) {
  const t = useTexts(auth);
  return (
    <Page title={title}>
      <div className="auth">
        <section className="auth__form">
          <h1 className="d40">{title}</h1>
          <p className="lede m">{lede}</p>
          <div className="auth__fields">{children}</div>
          <div className="auth__below">{below}</div>
        </section>
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
      </div>
    </Page>
  );
}
