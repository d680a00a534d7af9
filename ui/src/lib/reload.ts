import { HOME } from './redirect';

/** Hides the page until then, also if Back restores it from the browser's cache. */
export function reloadFromHome(): void {
  document.body.hidden = true;
  window.addEventListener('pageshow', () => window.location.reload());
  window.location.replace(HOME);
}
