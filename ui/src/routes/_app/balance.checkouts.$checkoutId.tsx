import { createFileRoute } from '@tanstack/react-router';
import { CheckoutPage } from '@/features/wallet/follow/checkout-page';
import { searchParams, text } from '@/lib/search-params';

export const Route = createFileRoute('/_app/balance/checkouts/$checkoutId')({
  validateSearch: searchParams({ status: text }),
  component: Checkout,
});

function Checkout() {
  const { checkoutId } = Route.useParams();
  const { status } = Route.useSearch();
  return <CheckoutPage key={checkoutId} id={checkoutId} status={status} />;
}
