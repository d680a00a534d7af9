/** Where a user lands who asked for no place of his own. */
export const HOME = '/dashboard';

// eslint-disable-next-line no-control-regex -- browsers drop some of them, which turns "/\t/evil" into "//evil"
const UNSAFE = /[\\\u0000-\u001f\u007f]/;
const NO_TARGET = ['', '/login', '/signup'];

/** The path that the router would show for an address of ours, with dots and percent signs resolved. */
function shownPath(target: string): string | null {
  try {
    const url = new URL(target, window.location.origin);
    return url.origin === window.location.origin ? decodeURIComponent(url.pathname) : null;
  } catch {
    return null;
  }
}

/**
 * The place to go to after a login or sign-up just completed: `wanted` when it is a path of this site that the user may see, else the
 * dashboard. Refused are other hosts in every disguise (`//evil`, `/\evil`, control characters) and admin pages for anyone else.
 */
export function safeRedirect(wanted: unknown, user: { isAdmin: boolean }): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || UNSAFE.test(wanted)) return HOME;
  const path = shownPath(wanted);
  if (path === null || path.startsWith('//') || wanted.startsWith('//') || UNSAFE.test(path)) return HOME;
  // The router takes neither capitals nor a slash at the end for another page.
  const page = path.toLowerCase().replace(/\/+$/, '');
  if (NO_TARGET.includes(page) || page.startsWith('/referral/')) return HOME;
  if (!user.isAdmin && (page === '/admin' || page.startsWith('/admin/'))) return HOME;
  return wanted;
}
