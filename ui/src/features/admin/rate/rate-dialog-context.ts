import { createContext } from 'react';

/** Opens the dialog that sets the exchange rate; the frame of the admin area has it. */
export const OpenRateDialog = createContext<() => void>(() => undefined);
