/** Prefixes of the tab's stored input: drafts of forms, and unsent messages. */
export const DRAFT = 'draft:';
export const UNSENT = 'unsent:';

let enabled = true;

/** Disabled on a page whose user has changed: its forms hold another user's input. */
export function enableStorage(on: boolean): void {
  enabled = on;
}

/** Stores input under a name with one of the prefixes. Throws if storage is denied or full. */
export function storeForTab(name: string, input: unknown): void {
  if (enabled) sessionStorage.setItem(name, JSON.stringify(input));
}
