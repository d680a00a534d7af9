import { Page } from '@/components/page';
import { Avatar } from '@/components/ui/avatar';
import { PageHead, Sections } from './page-parts';
import { usePageText } from './queries';
import './pages.css';

/** /ourleaders. Who they are is the operator's to say. */
export function LeadersPage() {
  const company = usePageText('company');
  return (
    <Page title={company.leaders.title} className="doc">
      <PageHead text={company.leaders} />
      <ul className="leaders">
        {company.people.map(({ name, role, text }) => (
          <li key={name} className="sec">
            <Avatar name={name} size="xl" />
            <h2 className="d24">{name}</h2>
            <p className="b">{role}</p>
            <p className="m">{text}</p>
          </li>
        ))}
      </ul>
      <Sections sections={company.leaders.sections} />
    </Page>
  );
}
