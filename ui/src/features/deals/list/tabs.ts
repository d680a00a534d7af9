/** The tabs of the list, in the order of a deal's life. Apart from the rest of the feature, because every page's first chunk knows the addresses. */
export const TABS = ['pending', 'active', 'late', 'delivered', 'completed', 'cancelled'] as const;
export type Tab = (typeof TABS)[number];
