export const EXAMPLE = { price: 48_000, fee: 960, payout: 47_040 } as const;
