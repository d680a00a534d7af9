import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FeedbackScreen } from './feedback-screen';
import { bugReportsQuery } from './queries';

const route = getRouteApi('/_admin/admin/bug-reports');

/** /admin/bug-reports: the bug reports. */
export function BugReportsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(bugReportsQuery(search.page ?? 1));
  return (
    <FeedbackScreen
      kind="bug"
      to="/admin/bug-reports"
      search={search}
      onSearch={(change, replace) => void navigate({ search: change, replace, resetScroll: false })}
      query={query}
    />
  );
}
