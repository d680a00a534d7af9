import { HOME } from './redirect';

/** Reloads the page from the dashboard. Until it is there nobody sees what is on this page, nor when Back brings it out of the browser's memory. */
export function reloadFromHome(): void {
  document.body.hidden = true;
  window.addEventListener('pageshow', () => window.location.reload());
  window.location.replace(HOME);
}
