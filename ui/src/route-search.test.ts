import { createMemoryHistory, defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { createQueryClient } from './lib/query-client';
import { createAppRouter } from './router';

const ID = '0198c0de-0000-7000-8000-000000000001';
const LIST = { page: 2, review: ID };
const STATEMENT = [
  { days: 7, kind: 'deals', page: 2 },
  { from: '2026-11-01', to: '2026-11-10' },
];

/** Searches that the pages write, by route; each parameter occurs at least once. */
const WRITTEN: Record<string, readonly object[]> = {
  '/_guest/login': [{ redirect: '/explore?search=a&page=2#top' }],
  '/_guest/signup': [{ redirect: '/d/k7m2p9qa4x' }, { redirect: '/posts/0198c0de-0000-7000-8000-000000000001?next=contact' }],
  '/_public/posts/$postId': [{ next: 'contact' }, { next: 'deal' }],
  '/_public/profile/$username': [{ next: 'contact' }],
  '/_public/explore': [{ search: 'YouTube channel', category: 'Online Asset', page: 3, seed: 'a1b2' }],
  '/_public/unsubscribe': [{ token: 'q9-_Z' }, { token: 'q9-_Z', of: 'searches' }],
  '/_app/saved': [{ tab: 'searches' }],
  '/_app/_money/balance/': STATEMENT,
  '/_app/balance/statement/': STATEMENT,
  '/_app/balance/statement/print': STATEMENT,
  '/_app/dashboard': [{ days: 7 }, { from: '2026-11-01', to: '2026-11-10' }],
  '/_app/deal/': [{ tab: 'delivered' }],
  '/_app/_money/deposit': [
    { method: 'Nagad', amount: 467.6, deal: ID },
    { method: 'Bkash', amount: 25, trx: 'CKJ8T2WV5C' },
    { trx: '12345678' },
  ],
  '/_app/balance/checkouts/$checkoutId': [{ status: 'success' }, { status: 'cancel' }],
  '/_app/support': [{ dealId: ID }],
  '/_app/_money/withdraw': [{ method: 'Bkash' }],
  '/_admin/admin/audit': [
    { ...LIST, days: 30, actorId: ID, action: 'deposit_approved', subject: '42' },
    { from: '2026-11-01', to: '2026-11-01' },
  ],
  '/_admin/admin/bug-reports': [LIST],
  '/_admin/admin/chat': [{ one: ID, other: ID }],
  '/_admin/admin/contact-messages': [LIST],
  '/_admin/admin/dashboard': [{ days: 15 }, { from: '2026-11-01', to: '2026-11-10' }],
  '/_admin/admin/deals': [
    { tab: 'decide', ...LIST },
    { status: 'Cancelled by Buyer', dealId: ID, ...LIST },
  ],
  '/_admin/admin/deposit': [{ tab: 'failed', search: 'CKJ8', method: 'Bkash', sort: 'largest', ...LIST }, { search: '12300' }],
  '/_admin/admin/corrections': [{ tab: 'confirmed', search: 'rahim', propose: ID, ...LIST }],
  '/_admin/admin/payments': [{ tab: 'unread', page: 2 }],
  '/_admin/admin/disputes': [{ tab: 'appealed', page: 2, search: 'rahim' }],
  '/_admin/admin/disputes_/$id': [{ tab: 'appealed', page: 2, search: 'rahim' }],
  '/_admin/admin/notifications': [{ page: 2 }],
  '/_admin/admin/reports': [{ tab: 'appealed', ...LIST }],
  '/_admin/admin/support-requests': [LIST],
  '/_admin/admin/users': [{ search: 'nusrat', ...LIST }],
  '/_admin/admin/withdrawal': [{ tab: 'all', ...LIST }],
};

const router = createAppRouter(createQueryClient(), createMemoryHistory());
type Validate = (search: Record<string, unknown>) => object;
const validators = new Map(
  Object.values(router.routesById).flatMap(({ id, options: { validateSearch } }): [string, Validate][] =>
    validateSearch ? [[id, validateSearch as Validate]] : [],
  ),
);
const addresses = [...validators.keys()].sort();

/** The search as parsed from the address bar. */
const read = (id: string, query: string) => validators.get(id)?.(defaultParseSearch(query));
const namesOf = (id: string) => [...new Set((WRITTEN[id] ?? []).flatMap((search) => Object.keys(search)))];

it('every address with parameters is here', () => {
  expect(addresses).toEqual(Object.keys(WRITTEN).sort());
});

// With loaderDeps, another search is another page to the router: on a slow device it unmounts the
// old one, and what is typed in it.
it('only pages that wait for their data, under a skeleton, depend on it', () => {
  const dependent = Object.values(router.routesById).filter(({ options }) => 'loaderDeps' in options);
  expect(dependent.map(({ id }) => id as string).sort()).toEqual(['/_app/dashboard', '/_app/deal/']);
  expect(dependent.every(({ options }) => 'pendingComponent' in options)).toBe(true);
});

describe.each(addresses)('the search of %s', (id) => {
  it.each(WRITTEN[id] ?? [])('is the same after a reload: %j', (search) => {
    const query = defaultStringifySearch(search);
    const once = read(id, query);
    expect(once).toEqual(search);
    expect(defaultStringifySearch(once ?? {})).toHaveLength(query.length);
  });

  it.each([
    ['a list', ['a', 'b']],
    ['a list of what would be right', [7]],
    ['an object', { page: 2 }],
    ['null', null],
    ['a truth', true],
    ['nothing', ''],
    ['space', '  '],
    ['undefined', undefined],
  ])('leaves out %s', (_what, value) => {
    const hostile = Object.fromEntries(namesOf(id).map((name) => [name, value]));
    expect(validators.get(id)?.(hostile)).toEqual({});
  });

  it('leaves out what it does not know, however it is named', () => {
    const query = '?utm_source=mail&__proto__=%7B%22page%22%3A2%7D&constructor=x&toString=1&hasOwnProperty=2';
    expect(read(id, query)).toEqual({});
    expect(validators.get(id)?.(JSON.parse('{"__proto__":{"other":1},"length":3}') as Record<string, unknown>)).toEqual({});
  });

  it('reads what cannot be decoded without failing', () => {
    expect(() =>
      read(
        id,
        `?${namesOf(id)
          .map((name) => `${name}=%E0%A4%A&${name}=2`)
          .join('&')}`,
      ),
    ).not.toThrow();
  });
});

const JUNK = [
  'abc',
  0,
  -1,
  1.5,
  1e21,
  true,
  false,
  null,
  [1, 2],
  [],
  { a: 1 },
  '',
  ' ',
  'Nope',
  '2026-13-45',
  '%',
  '\u0000',
  "'--",
  '__proto__',
];
const UNKNOWN = ['fbclid', 'utm_source', 'limit', 'constructor', '__proto__'];

/**
 * The search that the page and the loader get from the router, which adds to the validator's
 * result.
 */
function searchAt(id: string, search: Record<string, unknown>): object {
  const { fullPath } = router.routesById[id as keyof typeof router.routesById];
  const parsed = defaultParseSearch(defaultStringifySearch(search));
  const matches = router.matchRoutes(fullPath.replace(/\$\w+/g, 'x'), parsed);
  const match = matches.find(({ routeId }) => routeId === id);
  if (!match) throw new Error(`${fullPath} does not lead to ${id}`);
  return match.search;
}

describe.each(addresses)('what the page of %s gets', (id) => {
  it('is a parameter that its pages write, whatever else stands in the address', () => {
    for (const written of WRITTEN[id] ?? []) {
      expect(searchAt(id, { ...written, ...Object.fromEntries(UNKNOWN.map((name) => [name, 'x'])) })).toEqual(written);
    }
  });

  it('is nothing that its validator would refuse', () => {
    const validate = validators.get(id);
    for (const name of [...namesOf(id), ...UNKNOWN]) {
      for (const junk of JUNK) {
        const got = Object.entries(searchAt(id, { [name]: junk })).filter(([, value]) => value !== undefined);
        expect(got.map(([known]) => known).filter((known) => !namesOf(id).includes(known))).toEqual([]);
        expect(validate?.(Object.fromEntries(got)), `${name}=${JSON.stringify(junk)}`).toEqual(Object.fromEntries(got));
      }
    }
  });
});

it.each([
  ['/_public/explore', { page: 0 }],
  ['/_public/explore', { page: -1 }],
  ['/_public/explore', { page: 'abc' }],
  ['/_public/explore', { category: 'Nope' }],
  ['/_public/explore', { search: true }],
  ['/_public/explore', { search: [1, 2] }],
  ['/_app/_money/balance/', { page: 'abc' }],
  ['/_app/dashboard', { from: '2026-13-45', to: 'x' }],
])('the page of %s gets nothing of %j', (id, search) => {
  expect(searchAt(id, search)).toEqual({});
});

describe.each(addresses.filter((id) => namesOf(id).includes('page')))('the page of %s', (id) => {
  it.each(['1', '0', '-2', '1.5', '1e400', '9007199254740993', '1000001', 'two', '%222%22', 'NaN'])(
    'is the first for %s',
    (page) => {
      expect(read(id, `?page=${page}`)).toEqual({});
    },
  );
});

describe.each(['/_app/dashboard', '/_admin/admin/dashboard', '/_admin/admin/audit'])('the period of %s', (id) => {
  it.each([
    '?from=2026-02-31',
    '?to=2026-13-40',
    '?from=2026-1-1',
    '?from=20261101',
    '?from=2026-11-10&to=2026-11-01',
    '?days=8',
    '?days=-7',
    '?days=1e99',
  ])('is lifetime for %s', (query) => {
    expect(read(id, query)).toEqual({});
  });
});

describe('an address that rules out a part of itself', () => {
  it.each([
    ['/_admin/admin/dashboard', '?days=7&from=2026-11-01&to=2026-11-10', { days: 7 }],
    ['/_admin/admin/audit', '?days=7&from=2026-11-01&action=a', { days: 7, action: 'a' }],
    ['/_admin/admin/deals', `?tab=decide&status=Late&dealId=${ID}&page=2`, { tab: 'decide', page: 2 }],
    ['/_admin/admin/deposit', '?tab=waiting', {}],
    ['/_app/_money/balance/', '?tab=withdrawals', {}],
    ['/_admin/admin/chat', `?one=${ID}0&other=${ID.toUpperCase()}`, { other: ID.toUpperCase() }],
    ['/_admin/admin/users', '?search=n', {}],
    ['/_admin/admin/deposit', '?method=Rocket&sort=age', {}],
    ['/_app/_money/deposit', '?method=Rocket&amount=-5&deal=7', {}],
    ['/_app/_money/deposit', '?amount=1000000.01', {}],
  ])('%s %s', (id, query, search) => {
    expect(read(id, query)).toEqual(search);
  });
});

describe('what somebody typed to search for', () => {
  it('may be a number', () => {
    expect(read('/_public/explore', '?search=2024')).toEqual({ search: '2024' });
    expect(read('/_admin/admin/users', '?search=42')).toEqual({ search: '42' });
  });

  it('is cut where the server stops reading, between whole characters', () => {
    const typed = `${'a'.repeat(98)}😀 and more`;
    expect(read('/_public/explore', defaultStringifySearch({ search: typed }))).toEqual({ search: `${'a'.repeat(98)}😀` });
  });
});
