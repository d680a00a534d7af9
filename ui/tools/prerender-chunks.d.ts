export const ROUTE_PARTS: ('loader' | 'component' | 'pendingComponent' | 'errorComponent' | 'notFoundComponent')[][];
export const ROUTE_MODULES: RegExp;
export const MEMBERS_LIBRARY_FILES: string[];
export function routeOfKey(key: string): string | null;
export function keyOfRoute(manifest: Record<string, unknown>, route: string): string | undefined;
