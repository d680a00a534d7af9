import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FeedbackScreen } from './feedback-screen';
import { contactMessagesQuery } from './queries';

const route = getRouteApi('/_admin/admin/contact-messages');

/** /admin/contact-messages: the messages of the contact form. */
export function ContactMessagesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(contactMessagesQuery(search.page ?? 1));
  return (
    <FeedbackScreen
      kind="contact"
      to="/admin/contact-messages"
      search={search}
      onSearch={(change, replace) => void navigate({ search: change, replace, resetScroll: false })}
      query={query}
    />
  );
}
