import { Page } from '@/components/page';
import { Contents, PageHead, Sections } from './page-parts';
import { usePageText } from './queries';
import './print.css';

/** /terms, /privacy and /aboutus: a text with a list of its sections beside it. */
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
