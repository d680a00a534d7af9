/** In a module of its own, because the first chunk of every page knows the addresses. */
export const TABS = ['pending', 'active', 'late', 'delivered', 'completed', 'cancelled'] as const;
export type Tab = (typeof TABS)[number];
