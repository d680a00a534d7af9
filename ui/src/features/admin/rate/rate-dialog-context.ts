import { createContext } from 'react';

export const OpenRateDialog = createContext<() => void>(() => undefined);
