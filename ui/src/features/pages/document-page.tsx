import { Page } from '@/components/page';
import { Contents, PageHead, Sections } from './page-parts';
import { usePageText } from './queries';
import './pages.css';

/** /terms, /privacy and /aboutus: a text with a list of its sections beside it. */
export function DocumentPage({ name }: { name: 'about' | 'privacy' | 'terms' }) {
  const text = usePageText(name);
  return (
    <Page title={text.title} className="doc">
      <PageHead text={text} />
      <div className="doc__cols">
        <Contents sections={text.sections} />
        <div>
          <Sections sections={text.sections} />
        </div>
      </div>
    </Page>
  );
}
