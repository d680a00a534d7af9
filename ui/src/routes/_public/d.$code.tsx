import { createFileRoute } from '@tanstack/react-router';
import { rateQuery } from '@/entities/wallet/exchange-rate';
import { limitsQuery } from '@/entities/wallet/limits';
import { OfferGone, OfferPage } from '@/features/deals/invite/offer-page';
import { offerQuery } from '@/features/deals/invite/queries';
import { errorText, isApiError } from '@/lib/errors';
import { prefetch } from '@/lib/prefetch';

export const Route = createFileRoute('/_public/d/$code')({
  loader: async ({ context: { queryClient }, params }) => {
    prefetch(queryClient, rateQuery, limitsQuery);
    try {
      await queryClient.query({ ...offerQuery(params.code), staleTime: 0 });
      return { gone: null };
    } catch (error) {
      if (isApiError(error, 'not_found')) return { gone: error };
      throw error;
    }
  },
  component: Offer,
});

function Offer() {
  const { code } = Route.useParams();
  const { gone } = Route.useLoaderData();
  return gone ? <OfferGone reason={errorText(gone)} /> : <OfferPage key={code} code={code} />;
}
