import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { dealListQuery, dealTotalsQuery, unfinishedDealsQuery } from '@/entities/deal/queries';
import { dealTabQuery } from '@/features/deals/list/queries';
import { totalsOf } from '../deal-lists';
import { isWide } from '../deals';
import { queryClient } from '../query-client';
import { apiMisbehaves } from '../recorded';
import { renderAt } from '../render';
import { aDeal, nusrat, server, signedInAs } from '../server';
import { broken, done, enter, failures, lost, refused, specTexts, type Trigger, WORD } from './harness';

const given = () => {
  signedInAs(nusrat);
  isWide(true);
  server.use(
    http.get('*/api/wallet/search', () =>
      HttpResponse.json([{ _id: 'u-tanvir', username: 'tanvir', profilePic: '', isStaff: false }]),
    ),
    http.get('*/api/deals/d-1', () => HttpResponse.json({ ...aDeal(), timeline: [] })),
  );
};

async function openDialog() {
  const app = renderAt('/deal');
  const [button] = await screen.findAllByRole('button', { name: 'Create Deal' });
  if (button) await app.user.click(button);
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Deal' }));
  await app.user.click(dialog.getByRole('button', { name: /^Find by username/ }));
  return { ...app, dialog };
}

async function makeAs(role: RegExp): Promise<void> {
  const { user, dialog } = await openDialog();
  enter('Who is the deal with?', 'tanvir');
  await user.click(await dialog.findByRole('option', { name: 'tanvir' }));
  await user.click(dialog.getByRole('radio', { name: role }));
  enter('Price', '480');
  enter('Description', 'Ranna Ghor 24');
  await user.click(dialog.getByRole('button', { name: 'Send' }));
}

const offer: Trigger = {
  when: 'the seller makes a deal',
  call: 'POST /deals/create',
  given,
  act: () => makeAs(/Seller/),
};
const want: Trigger = { ...offer, when: 'the buyer makes a deal', act: () => makeAs(/Buyer/) };
const search: Trigger = {
  when: 'a user looks for somebody to deal with',
  call: 'GET /wallet/search',
  given,
  act: async () => {
    await openDialog();
    enter('Who is the deal with?', 'tanvir');
  },
};
const price: Trigger = {
  when: 'a user wants to see a price in taka',
  call: 'GET /exchange-rate',
  given,
  act: () => openDialog(),
};
const openList: Trigger = {
  when: 'a user opens his deals',
  call: 'GET /deals/my-deals',
  given,
  act: () => Promise.resolve(renderAt('/deal')),
};
/** Caches the deals, then refetches. */
const seenBefore = () => {
  given();
  const page = { rows: [aDeal()], total: 1 };
  queryClient.setQueryData(dealTotalsQuery.queryKey, totalsOf([aDeal()]), { updatedAt: 1 });
  queryClient.setQueryData(dealListQuery.queryKey, page, { updatedAt: 1 });
  queryClient.setQueryData(unfinishedDealsQuery.queryKey, page);
  queryClient.setQueryData(dealTabQuery('pending').queryKey, { pages: [page], pageParams: [1] }, { updatedAt: 1 });
};
const refreshList: Trigger = { ...openList, when: 'the list of deals is refreshed', given: seenBefore };
const refreshDashboard: Trigger = {
  ...refreshList,
  when: 'the dashboard is refreshed',
  act: () => Promise.resolve(renderAt('/dashboard')),
};

const made = done(() => ({ ...aDeal(), timeline: [] }), 201);
const notMade = done(() => {
  apiMisbehaves();
  return { ...aDeal(), timeline: [] };
});
const SMALL_PRINT = 'The problem is on our side. Try again in a moment.';

specTexts('making a deal', [
  { text: 'Deal request sent!', trigger: offer, server: made, as: 'success' },
  { text: 'Deal created!', trigger: want, server: made, as: 'success' },
  { text: 'Deal creation failed.', trigger: offer, server: notMade, as: 'error' },
  ...failures({ text: 'Unexpected error.', trigger: want }),
  { text: 'Failed to search users', trigger: search, server: broken, as: 'error', more: SMALL_PRINT },
  { text: 'Failed to search users', trigger: search, server: refused, as: 'error', more: WORD },
  { text: 'No users found.', trigger: search, server: done(() => []), as: 'status' },
  { text: 'Failed to fetch conversion rate', trigger: price, server: broken, as: 'page' },
]);

specTexts('the list of deals', [
  { text: 'Failed to fetch deals', trigger: openList, server: lost, as: 'error' },
  { text: 'Failed to fetch deals', trigger: openList, server: broken, as: 'error', more: SMALL_PRINT },
  { text: 'Failed to fetch deals', trigger: openList, server: refused, as: 'error', more: WORD },
  ...failures({ text: 'Failed to fetch deals', trigger: refreshList }),
  ...failures({ text: 'Failed to fetch deals', trigger: refreshDashboard }),
]);
