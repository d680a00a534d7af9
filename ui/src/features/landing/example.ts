/** The example deal of the landing page, in cents: $480.00, the fee of 2 %, what the seller gets. */
export const EXAMPLE = { price: 48_000, fee: 960, payout: 47_040 } as const;
