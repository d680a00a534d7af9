export const ROUTE_PARTS: ('loader' | 'component' | 'pendingComponent' | 'errorComponent' | 'notFoundComponent')[][];
export function routeOfKey(key: string): string | null;
export function pathOfRoute(route: string): string;
export function keyOfRoute(manifest: Record<string, unknown>, route: string): string | undefined;
