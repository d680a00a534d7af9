import { Maximize2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '@/components/lazy-part';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { pages } from '@/i18n/en/pages';
import { PAPERS, type PaperName } from '@/i18n/page-text';
import { Column, Columns, PageHead, Sections } from './document-page';
import { usePageText } from './queries';

const PaperDialog = lazyPart(
  () => import('./paper-dialog'),
  ({ onOpenChange }) => onOpenChange(false),
);

/** /papers: trade licence, tax certificate and bank document; a click enlarges one. */
export function PapersPage() {
  const t = useTexts(pages);
  const company = usePageText('company');
  // The closed dialog stays mounted, so that it returns the focus.
  const [shown, setShown] = useState<{ name: PaperName; open: boolean }>();
  return (
    <Page title={company.papers.title} className="print:py-0">
      <PageHead text={company.papers} />
      <Columns>
        {PAPERS.map((name) => {
          const { title, by, alt } = company.scans[name];
          return (
            <Column key={name}>
              <button
                type="button"
                className="relative mb-1.5 block w-full cursor-zoom-in"
                aria-haspopup="dialog"
                onClick={() => setShown({ name, open: true })}
              >
                <img
                  className="w-full border border-border-strong bg-white"
                  src={`/papers/${name}.svg`}
                  alt={alt}
                  width={600}
                  height={800}
                />
                <span className="absolute right-2 bottom-2 inline-flex min-h-9 items-center gap-1.5 rounded-md bg-primary px-3 text-sm font-medium text-primary-foreground print:hidden">
                  <Maximize2 className="size-4" aria-hidden="true" />
                  {t('enlarge')}
                </span>
              </button>
              <h2 className="font-display text-display-xs">{title}</h2>
              <p className="text-sm text-muted-foreground">{by}</p>
            </Column>
          );
        })}
      </Columns>
      <Sections sections={company.papers.sections} />
      {shown && (
        <Suspense>
          <PaperDialog {...shown} paper={company.scans[shown.name]} onOpenChange={(open) => setShown({ ...shown, open })} />
        </Suspense>
      )}
    </Page>
  );
}
