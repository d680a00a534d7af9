import { Page } from '@/components/page';
import { UserAvatar } from '@/entities/user/user-avatar';
import { Column, Columns, PageHead, Sections } from './document-page';
import { usePageText } from './queries';

/** /ourleaders. The operator supplies the people. */
export function LeadersPage() {
  const company = usePageText('company');
  return (
    <Page title={company.leaders.title} className="print:py-0">
      <PageHead text={company.leaders} />
      <Columns>
        {company.people.map(({ name, role, text }) => (
          <Column key={name}>
            <UserAvatar name={name} size="xl" className="mb-1.5" />
            <h2 className="font-display text-display-sm">{name}</h2>
            <p className="font-semibold">{role}</p>
            <p className="text-muted-foreground">{text}</p>
          </Column>
        ))}
      </Columns>
      <Sections sections={company.leaders.sections} />
    </Page>
  );
}
