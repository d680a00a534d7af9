import { useSuspenseQuery } from '@tanstack/react-query';
import { Page } from '@/components/page';
import { useLanguage } from '@/i18n';
import { Contents, PageHead, Sections } from './page-parts';
import { pageTextQuery } from './queries';
import './pages.css';

/** /terms, /privacy and /aboutus (SPEC §2): a text with a list of its sections beside it. */
export function DocumentPage({ name }: { name: 'about' | 'privacy' | 'terms' }) {
  const { data: text } = useSuspenseQuery(pageTextQuery(name, useLanguage()));
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
