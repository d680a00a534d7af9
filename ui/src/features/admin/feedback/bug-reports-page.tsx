import { getRouteApi } from '@tanstack/react-router';
import { useAdminList } from '../queue/use-admin-list';
import { FeedbackScreen } from './feedback-screen';
import { bugReportsQuery } from './queries';

const route = getRouteApi('/_admin/admin/bug-reports');

export function BugReportsPage() {
  return (
    <FeedbackScreen
      kind="bug"
      to="/admin/bug-reports"
      list={useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: bugReportsQuery })}
    />
  );
}
