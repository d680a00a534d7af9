import { createContext } from 'react';

/** Opens the dialog of the exchange rate, which the admin frame contains. */
export const OpenRateDialog = createContext<() => void>(() => undefined);
