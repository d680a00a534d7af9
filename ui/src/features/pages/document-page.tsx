import type { ReactNode } from 'react';
import { Note } from '@/components/note';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { pages } from '@/i18n/en/pages';
import type { Block, PageSection, PageText } from '@/i18n/page-text';
import { localDigits } from '@/lib/money';
import { formatTime } from '@/lib/time';
import { usePageText } from './queries';

export function PageHead({ text }: { text: PageText }) {
  const t = useTexts(pages);
  return (
    <header className="mb-8 grid gap-3 min-[960px]:mb-12">
      <h1 className="font-display text-display-xl">{text.title}</h1>
      <p className="max-w-measure text-lede text-muted-foreground">{text.lede}</p>
      {text.changed ? (
        <p className="text-sm text-muted-foreground">
          {text.versioned ? `${t('version', { version: localDigits(text.changed) })} · ` : null}
          <time dateTime={text.changed}>{t('changed', { day: formatTime(text.changed, 'date') })}</time>
        </p>
      ) : null}
      {text.note ? (
        <Note kind="wait" className="mt-1 max-w-measure">
          {text.note}
        </Note>
      ) : null}
    </header>
  );
}

function Words({ block }: { block: Block }) {
  if (typeof block === 'string') return <p className="mt-3 max-w-[66ch] wrap-anywhere">{block}</p>;
  return (
    <ul className="mt-3 grid max-w-[66ch] gap-2 wrap-anywhere">
      {block.map((line) => (
        <li
          key={line}
          className="relative pl-5 before:absolute before:top-[0.75em] before:left-0 before:h-0.5 before:w-2.5 before:bg-subtle-foreground print:break-inside-avoid"
        >
          {line}
        </li>
      ))}
    </ul>
  );
}

export function Columns({ children }: { children: ReactNode }) {
  return <ul className="mb-12 grid gap-x-8 gap-y-10 xs:grid-cols-3">{children}</ul>;
}

export function Column({ children }: { children: ReactNode }) {
  return (
    <li className="grid min-w-0 content-start gap-1.5 border-t-2 border-foreground pt-3 print:break-inside-avoid">{children}</li>
  );
}

export function Sections({ sections }: { sections: readonly PageSection[] }) {
  return sections.map(({ id, title, blocks }) => (
    <section
      key={id}
      id={id}
      className="mb-10 min-w-0 scroll-mt-4 border-t-2 border-foreground pt-3"
      aria-labelledby={`${id}-title`}
    >
      <h2 id={`${id}-title`} className="font-display text-display-sm print:break-after-avoid">
        {title}
      </h2>
      {blocks.map((block, index) => (
        <Words key={index} block={block} />
      ))}
    </section>
  ));
}

function Contents({ sections }: { sections: readonly PageSection[] }) {
  const t = useTexts(pages);
  return (
    <nav
      className="min-[960px]:sticky min-[960px]:top-6 min-[960px]:max-h-[calc(100dvh-48px)] min-[960px]:self-start min-[960px]:overflow-auto print:hidden"
      aria-label={t('contents')}
    >
      <p className="font-semibold">{t('contents')}</p>
      <ol className="mt-1">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center border-b text-muted-foreground no-underline hover:text-foreground hover:underline"
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** /terms, /privacy and /aboutus: a text with a table of contents. */
export function DocumentPage({ name }: { name: 'about' | 'privacy' | 'terms' }) {
  const text = usePageText(name);
  return (
    <Page title={text.title} className="print:py-0">
      <PageHead text={text} />
      <div className="grid gap-x-16 gap-y-8 min-[960px]:grid-cols-[240px_minmax(0,1fr)] print:block">
        <Contents sections={text.sections} />
        <div>
          <Sections sections={text.sections} />
        </div>
      </div>
    </Page>
  );
}
