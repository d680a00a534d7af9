import { createFileRoute, notFound } from '@tanstack/react-router';
import { CheckPage, UnknownPaper } from '@/features/check/check-page';
import { checkQuery } from '@/features/check/queries';
import { isApiError } from '@/lib/errors';

export const Route = createFileRoute('/_public/check/$code')({
  loader: async ({ context: { queryClient }, params }) => {
    await queryClient.query(checkQuery(params.code)).catch((error: unknown) => {
      throw isApiError(error, 'not_found') ? notFound() : error;
    });
  },
  component: Check,
  notFoundComponent: UnknownPaper,
});

function Check() {
  const { code } = Route.useParams();
  return <CheckPage key={code} code={code} />;
}
