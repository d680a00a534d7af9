import { createFileRoute } from '@tanstack/react-router';
import { profileQuery } from '@/entities/user/queries';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { PersonMissing, PersonPage, PersonSkeleton } from '@/features/profile/person-page';
import { nextSearch } from '@/lib/next-step';
import { load, prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_public/profile/$username')({
  validateSearch: nextSearch,
  loader: async ({ context: { queryClient }, params }) => {
    prefetch(queryClient, rateQuery);
    await load(queryClient, profileQuery(params.username));
  },
  component: Person,
  pendingComponent: PersonSkeleton,
  notFoundComponent: PersonMissing,
});

function Person() {
  const { username } = Route.useParams();
  return <PersonPage key={username} username={username} next={Route.useSearch().next} />;
}
