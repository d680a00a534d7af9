import { Maximize2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Page } from '@/components/page';
import { useTexts } from '@/i18n';
import { pages } from '@/i18n/en/pages';
import { PAPERS, type PaperName } from '@/i18n/page-text';
import { PageHead, Sections } from './page-parts';
import { usePageText } from './queries';
import './pages.css';

const PaperDialog = lazy(() => import('./paper-dialog'));

/** /papers: trade licence, tax certificate and bank document; choosing one shows it large. */
export function PapersPage() {
  const t = useTexts(pages);
  const company = usePageText('company');
  // Once closed it stays, so that the focus finds its way back.
  const [shown, setShown] = useState<{ name: PaperName; open: boolean }>();
  return (
    <Page title={company.papers.title} className="doc">
      <PageHead text={company.papers} />
      <ul className="scans">
        {PAPERS.map((name) => {
          const { title, by, alt } = company.scans[name];
          return (
            <li key={name} className="sec">
              <button type="button" className="scan" aria-haspopup="dialog" onClick={() => setShown({ name, open: true })}>
                <img src={`/papers/${name}.svg`} alt={alt} width={600} height={800} />
                <span className="scan__zoom">
                  <Maximize2 className="i16" aria-hidden="true" />
                  {t('enlarge')}
                </span>
              </button>
              <h2 className="d20">{title}</h2>
              <p className="m t14">{by}</p>
            </li>
          );
        })}
      </ul>
      <Sections sections={company.papers.sections} />
      {shown && (
        <Suspense>
          <PaperDialog {...shown} paper={company.scans[shown.name]} onOpenChange={(open) => setShown({ ...shown, open })} />
        </Suspense>
      )}
    </Page>
  );
}
