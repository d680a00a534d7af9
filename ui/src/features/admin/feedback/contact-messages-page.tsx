import { getRouteApi } from '@tanstack/react-router';
import { useAdminList } from '../queue/use-admin-list';
import { FeedbackScreen } from './feedback-screen';
import { contactMessagesQuery } from './queries';

const route = getRouteApi('/_admin/admin/contact-messages');

export function ContactMessagesPage() {
  return (
    <FeedbackScreen
      kind="contact"
      to="/admin/contact-messages"
      list={useAdminList({ search: route.useSearch(), navigate: route.useNavigate(), query: contactMessagesQuery })}
    />
  );
}
