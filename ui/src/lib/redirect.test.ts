import { describe, expect, it } from 'vitest';
import { HOME, safeRedirect } from './redirect';

const user = { isAdmin: false };
const admin = { isAdmin: true };

describe('safeRedirect', () => {
  it.each([
    '/deal/01',
    '/balance?page=2#top',
    '/deal?tab=Active',
    '/posts/01?next=contact',
    '/d/k7m2p9qa4x',
    // An absolute address as a value is harmless.
    '/explore?search=https://evil.example',
  ])('follows %s', (path) => {
    expect(safeRedirect(path, user)).toBe(path);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/deal',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%5Cevil.example',
    '/%0a/evil.example',
    '/.//evil.example',
    '/%2Fevil.example',
    '/%2f%2fevil.example',
    '/%09//evil.example',
    '/..//evil.example',
    '/%2e%2e//evil.example',
    '/%E0%A4%A',
    ' //evil.example',
    '\u0000//evil.example',
    'data:text/html,evil',
    'JaVaScRiPt:alert(1)//',
    'http:/evil.example',
    '///evil.example',
    '.',
    '?next=contact',
    'deal',
    '',
  ])('refuses %j', (path) => {
    expect(safeRedirect(path, admin)).toBe(HOME);
  });

  it.each([undefined, null, 7, ['/deal']])('refuses what is no text: %j', (value) => {
    expect(safeRedirect(value, user)).toBe(HOME);
  });

  it.each([
    '/',
    '/login',
    '/signup',
    '/login/',
    '/SignUp',
    '/signup?redirect=/signup',
    '/%6Cogin',
    '/?next=contact',
    '/referral/abc',
  ])('does not go back to a page of visitors: %s', (path) => {
    expect(safeRedirect(path, user)).toBe(HOME);
  });

  it.each(['/admin', '/admin/deposit', '/./admin/users', '/deal/../admin/users', '/%61dmin/users', '/Admin/', '/ADMIN/users'])(
    'sends only admins to %s',
    (path) => {
      expect(safeRedirect(path, user)).toBe(HOME);
      expect(safeRedirect(path, admin)).toBe(path);
    },
  );
});
