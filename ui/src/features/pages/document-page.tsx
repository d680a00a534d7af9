import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { pages } from '@/i18n/en/pages';
import type { PageSection } from '@/i18n/page-text';
import { PageHead, Sections } from './page-parts';
import { usePageText } from './queries';

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
