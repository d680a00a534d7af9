import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { bugReportsQuery } from './feedback-queries';
import { LettersScreen } from './letters-screen';

const route = getRouteApi('/_admin/admin/bug-reports');

/** /admin/bug-reports: the bug reports. */
export function BugReportsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(bugReportsQuery(search.page ?? 1));
  return (
    <LettersScreen
      kind="bug"
      to="/admin/bug-reports"
      search={search}
      onSearch={(change, replace) => void navigate({ search: change, replace, resetScroll: false })}
      query={query}
    />
  );
}
