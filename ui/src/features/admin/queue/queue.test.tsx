import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '@/entities/keys';
import { translate } from '@/i18n';
import { admin } from '@/i18n/en/admin';
import { deferred } from '@/testing/deferred';
import { pendingUntil } from '@/testing/outcomes';
import { queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { anOperation, aQueuedDeposit, karim, onPost, queues, refusal, soon } from '../fixtures';
import { ageText } from './queue-rows';

let rows: ReturnType<typeof queues>['deposits'];

/** As the poll does every 15 seconds. */
const refresh = () => act(() => queryClient.invalidateQueries({ queryKey: keys.adminDeposits }));

async function openClaimed() {
  const page = renderAt('/admin/deposit?review=dep-1');
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText(/^Reserved for you until/);
  return { ...page, drawer };
}

beforeEach(() => {
  rows = queues([aQueuedDeposit(), aQueuedDeposit({ _id: 'dep-2' })]).deposits;
});

describe('a refresh of the queue', () => {
  it('disturbs nothing that the admin types', async () => {
    const { user, drawer } = await openClaimed();
    const amount = drawer.getByLabelText('Amount to credit');
    await user.clear(amount);
    await user.type(amount, '77');
    await user.type(drawer.getByLabelText('Reason, sabbir will read it'), 'Less');
    rows.unshift(aQueuedDeposit({ _id: 'dep-0' }));
    await refresh();
    expect(await drawer.findByText(/^Deposit 2 of 3/)).toBeVisible();
    await user.keyboard(' arrived');
    expect(amount).toHaveValue('77');
    expect(drawer.getByLabelText('Reason, sabbir will read it')).toHaveValue('Less arrived');
  });

  it('that takes the row away asks who has handled it, and the next one is at hand', async () => {
    const { user, drawer, router } = await openClaimed();
    const text = 'Already handled by karim at 19 Nov 2026, 10:59.';
    onPost('/admin/deposits/dep-1/claim', refusal(409, 'already_handled', text));
    rows.shift();
    await refresh();
    expect(await drawer.findByText(text)).toBeVisible();
    expect(drawer.queryByRole('button', { name: /^Approve/ })).toBeNull();
    await user.click(drawer.getByRole('button', { name: 'Next one' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ review: 'dep-2' }));
  });

  it.each(['is on its way', 'has been answered 202'])(
    'that takes the row away while its approval %s asks nobody',
    async (when) => {
      const { user, drawer } = await openClaimed();
      const claims = onPost('/admin/deposits/dep-1/claim', refusal(409, 'already_handled', 'Already handled by you.'));
      const finish = pendingUntil(anOperation('deposit_approve'));
      const answered = deferred();
      server.use(
        http.post('*/api/admin/deposit/approve/dep-1', async () => {
          await answered.promise;
          return HttpResponse.json({ operation: anOperation('deposit_approve') }, { status: 202 });
        }),
      );
      await user.click(drawer.getByRole('button', { name: 'Approve $80.00' }));
      if (when === 'has been answered 202') {
        answered.resolve();
        expect(await drawer.findByText('Payment processing')).toBeVisible();
      }
      rows.shift();
      await refresh();
      await waitFor(() => expect(within(screen.getByRole('main')).getAllByRole('row')).toHaveLength(2));
      answered.resolve();
      finish();
      await waitFor(() => expect(screen.getByText('Done: $80.00 → sabbir')).toBeVisible());
      expect(claims).toEqual([]);
    },
  );

  it('that takes a row away asks who has handled it while another row is approved', async () => {
    const { drawer, user, router } = await openClaimed();
    const answered = deferred();
    server.use(
      http.post('*/api/admin/deposit/approve/dep-1', async () => {
        await answered.promise;
        return HttpResponse.json({ operation: anOperation('deposit_approve') }, { status: 202 });
      }),
      http.get('*/api/operations/op-1', () => HttpResponse.json(anOperation('deposit_approve', { status: 'done' }))),
    );
    await user.click(drawer.getByRole('button', { name: 'Approve $80.00' }));
    await act(() => router.navigate({ to: '/admin/deposit', search: { review: 'dep-2' } }));
    await screen.findByText(/^Deposit 2 of 2/);
    const next = within(await screen.findByRole('dialog'));
    await next.findByText(/^Reserved for you until/);
    rows.pop();
    await refresh();
    expect(await next.findByText(/^Already handled by karim/)).toBeVisible();
    answered.resolve();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  });

  it('shows another admin’s claim', async () => {
    const { drawer } = await openClaimed();
    rows[0] = aQueuedDeposit({ claim: { admin: karim, until: soon() } });
    await refresh();
    expect(await drawer.findByText(/^karim is working on it/)).toBeVisible();
  });

  it('that fails says so, keeps the list, and can be tried again', async () => {
    const { user } = await openClaimed();
    server.use(http.get('*/api/admin/deposits', () => HttpResponse.json({ code: 'conflict', message: '' }, { status: 409 })));
    await refresh();
    const page = within(screen.getByRole('main'));
    expect(await page.findByText(/^The list could not be refreshed/)).toBeVisible();
    expect(page.getAllByRole('row')).toHaveLength(3);
    queues(rows);
    await user.click(page.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(page.queryByText(/^The list could not be refreshed/)).toBeNull());
  });
});

it('a payment in progress that a reload finds finishes by itself', async () => {
  queues([aQueuedDeposit({ operation: anOperation('deposit_approve') })]);
  const finish = pendingUntil(anOperation('deposit_approve'));
  renderAt('/admin/deposit?review=dep-1');
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText('Payment processing')).toBeVisible();
  queues([]);
  onPost('/admin/deposits/dep-1/claim', refusal(409, 'already_handled', 'Already handled by nadia at 19 Nov 2026, 10:59.'));
  finish();
  expect(await drawer.findByText(/^Already handled by nadia/)).toBeVisible();
});

const MINUTE = 60_000;

it.each([
  [0.9, 'under 1 min'],
  [46, '46 min'],
  [60, '1 h'],
  [148, '2 h 28 min'],
  [24 * 60 + 59, '1 d'],
  [76 * 60, '3 d 4 h'],
])('%d minutes are %s', (minutes, text) =>
  expect(ageText((key, ...args) => translate(admin, key, ...args), minutes * MINUTE)).toBe(text),
);
