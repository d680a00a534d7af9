/** The page after a login without a target. */
export const HOME = '/dashboard';

// oxlint-disable-next-line no-control-regex -- browsers drop some of them, which turns "/\t/evil" into "//evil"
const UNSAFE = /[\\\u0000-\u001f\u007f]/;
const NO_TARGET = ['', '/login', '/signup'];

/** The router's path for an address of ours, with dots and percent signs resolved. */
function shownPath(target: string): string | null {
  try {
    const url = new URL(target, window.location.origin);
    return url.origin === window.location.origin ? decodeURIComponent(url.pathname) : null;
  } catch {
    return null;
  }
}

/**
 * The page after a login or sign-up: `wanted` if it is a path of this site that the user may see,
 * else the dashboard. Other hosts are refused in every disguise (`//evil`, `/\evil`, control
 * characters).
 */
export function safeRedirect(wanted: unknown, user: { isAdmin: boolean }): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || UNSAFE.test(wanted)) return HOME;
  const path = shownPath(wanted);
  if (path === null || path.startsWith('//') || wanted.startsWith('//') || UNSAFE.test(path)) return HOME;
  // The router ignores capitals and trailing slashes.
  const page = path.toLowerCase().replace(/\/+$/, '');
  if (NO_TARGET.includes(page) || page.startsWith('/referral/')) return HOME;
  if (!user.isAdmin && (page === '/admin' || page.startsWith('/admin/'))) return HOME;
  return wanted;
}

/** Hides the page until then, also if Back restores it from the browser's cache. */
export function reloadFromHome(): void {
  document.body.hidden = true;
  window.addEventListener('pageshow', () => window.location.reload());
  window.location.replace(HOME);
}
