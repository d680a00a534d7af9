/** What this tab stores of typed input: drafts of forms, and messages that were not sent. */
export const DRAFT = 'draft:';
export const UNSENT = 'unsent:';

let enabled = true;

/** Whether input is stored from now on. Not by a page whose user has changed: what is in its forms is not theirs. */
export function enableStorage(on: boolean): void {
  enabled = on;
}

/** Stores input under a name that begins with one of those above. Throws where the browser does not allow it, or has no room. */
export function storeForTab(name: string, input: unknown): void {
  if (enabled) sessionStorage.setItem(name, JSON.stringify(input));
}
