import type { ReactNode } from 'react';
import { Page } from '@/components/page';
import { Glyph } from '@/entities/deal/khata/strip';
import { useTexts } from '@/i18n';
import { auth } from '@/i18n/en/auth';

const STEPS = [
  ['buyer', 'aside.1'],
  ['amanat', 'aside.2'],
  ['seller', 'aside.3'],
] as const;

function Aside({ title, list: List, children }: { title: string; list: 'ol' | 'ul'; children: ReactNode }) {
  return (
    <aside className="self-start border-t-2 border-foreground pt-3 wide:mt-2" aria-label={title}>
      <h2 className="font-display text-display-sm">{title}</h2>
      <List className="mt-3 divide-y *:flex *:min-h-16 *:items-center *:gap-4 *:py-3 *:wrap-anywhere">{children}</List>
    </aside>
  );
}

function MoneyAside() {
  const t = useTexts(auth);
  return (
    <Aside title={t('aside.title')} list="ol">
      {STEPS.map(([holder, text]) => (
        <li key={text}>
          <Glyph holder={holder} />
          <span>{t(text)}</span>
        </li>
      ))}
    </Aside>
  );
}

export function WordsAside({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <Aside title={title} list="ul">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Aside>
  );
}

/** The form, and beside it how the money moves, or other notes. */
export function AuthPage({
  title,
  lede,
  below,
  aside = <MoneyAside />,
  children,
}: {
  title: string;
  lede: ReactNode;
  below?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Page title={title}>
      <div className="grid gap-14 wide:grid-cols-[minmax(0,440px)_minmax(0,440px)] wide:justify-between wide:py-8">
        <section className="max-w-110">
          <h1 className="font-display text-display-lg">{title}</h1>
          <p className="mt-2 text-lede text-muted-foreground">{lede}</p>
          <div className="mt-7">{children}</div>
          {below ? <div className="mt-3 flex flex-wrap items-center gap-x-3">{below}</div> : null}
        </section>
        {aside}
      </div>
    </Page>
  );
}
