import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { keys } from '@/entities/keys';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { aQueuedDeposit, karim, nadia, onPost, queues } from '../fixtures';
import { approvalSchema, centsOf, type Due, inDollars, inTaka } from './credit-fields';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const { _id, username, profilePic, isStaff } = nadia;
const by = (admin: typeof karim, reason = '') => ({ amount: 1500, reason, by: admin, at: '2026-11-19T04:54:00Z' });
const large = { claimedAmount: 1500, amount: 1500, convertedAmount: 184_500 };

async function openReview() {
  const page = renderAt('/admin/deposit?review=dep-1');
  const drawer = within(await screen.findByRole('dialog', { name: /sabbir reports/ }));
  return { ...page, drawer };
}

describe('a credit that takes two admins', () => {
  it('is proposed by the first', async () => {
    const row = aQueuedDeposit(large);
    queues([row]);
    const deposit = { ...row, awaitingConfirmation: by({ _id, username, profilePic, isStaff }) };
    const calls = onPost('/admin/deposit/approve/dep-1', () =>
      HttpResponse.json({ message: 'A second admin has to confirm this credit.', outcome: 'credit_proposed', deposit }),
    );
    const { user, drawer } = await openReview();
    await drawer.findByText(/^Reserved for you until/);
    // The taka are not filled in, so no two keys credit a large sum.
    await user.keyboard('a{Enter}');
    const taka = drawer.getByLabelText(/^Taka received/);
    expect(taka).toHaveAccessibleDescription('Type the taka that arrived. They have to be worth the amount.');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await user.type(taka, '184500');
    await user.click(drawer.getByRole('heading', { level: 2 }));
    await user.keyboard('a');
    const question = within(await screen.findByRole('alertdialog', { name: 'Approve $1,500.00?' }));
    expect(question.getByText(/^Nothing is credited yet: \$1,500\.00 goes to a second admin/)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Approve $1,500.00' }));
    expect(await drawer.findByText('Proposed: $1,500.00 → sabbir. Another admin has to confirm it.')).toBeVisible();
    expect(said().at(-1)).toEqual(['success', 'A second admin has to confirm this credit.']);
    expect(calls.map(({ body }) => body)).toEqual([{ amount: 1500, userId: 'u-sabbir', receivedTaka: 184_500 }]);
  });

  it('is confirmed by another, with the key too', async () => {
    const row = aQueuedDeposit({ ...large, awaitingConfirmation: by(karim, 'Bkash shows it.') });
    queues([row]);
    const calls = onPost('/admin/deposits/dep-1/confirm', () =>
      HttpResponse.json({
        message: 'Balance updated successfully',
        deposit: { ...row, status: 'completed', awaitingConfirmation: null },
      }),
    );
    const { user, drawer } = await openReview();
    await drawer.findByText(/^Reserved for you until/);
    expect(drawer.getByText('karim wants to credit $1,500.00. A second admin has to confirm it.')).toBeVisible();
    expect(drawer.getByText('Reason: Bkash shows it.')).toBeVisible();
    expect(screen.getByText('To confirm')).toBeVisible();
    await user.keyboard('a{Enter}');
    const taka = drawer.getByLabelText(/^Taka received/);
    await waitFor(() => expect(taka).toHaveAccessibleDescription(/^Type the taka that arrived/));
    await user.type(taka, '184500');
    await user.click(drawer.getByRole('heading', { level: 2 }));
    await user.keyboard('a');
    const question = within(await screen.findByRole('alertdialog', { name: 'Confirm $1,500.00?' }));
    expect(question.getByText(/^\$1,500\.00 is added to sabbir’s balance now\./)).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Confirm $1,500.00' }));
    expect(await drawer.findByText('Done: $1,500.00 → sabbir')).toBeVisible();
    expect(calls.map(({ body }) => body)).toEqual([{ amount: 1500, receivedTaka: 184_500 }]);
    expect(said()).toEqual([['success', 'Balance updated successfully']]);
  });

  it('waits for another: whoever proposed can only reject it or propose anew', async () => {
    const { claims } = queues([aQueuedDeposit({ ...large, awaitingConfirmation: by({ _id, username, profilePic, isStaff }) })]);
    const { user, drawer } = await openReview();
    expect(await drawer.findByText('You proposed $1,500.00. Another admin has to confirm it.')).toBeVisible();
    expect(drawer.queryByRole('button', { name: /^(Approve|Confirm)/ })).toBeNull();
    expect(drawer.getByRole('button', { name: 'Reject' })).toBeEnabled();
    await user.click(drawer.getByRole('button', { name: 'Credit another amount' }));
    expect(drawer.getByRole('button', { name: 'Approve $1,500.00' })).toBeEnabled();
    expect(claims).toEqual([]);
  });
});

describe('the amount that is filled in', () => {
  /** Changes the rate and refetches the list. */
  const atAnotherRate = async ({ drawer }: Awaited<ReturnType<typeof openReview>>) => {
    queues([aQueuedDeposit({ creditRate: 120, creditAmount: 82 })]);
    await act(() => queryClient.invalidateQueries({ queryKey: keys.adminDeposits }));
    await drawer.findByText('1 USD = ৳120');
  };

  it('follows what the payment is worth until another is typed', async () => {
    queues([aQueuedDeposit()]);
    const page = await openReview();
    const field = await page.drawer.findByLabelText(/Amount to credit/i);
    expect(field).toHaveValue('80.00');
    await atAnotherRate(page);
    await waitFor(() => expect(field).toHaveValue('82.00'));
    expect(page.drawer.queryByLabelText(/reads this/i)).toBeNull();
  });

  it('stays as it was typed', async () => {
    queues([aQueuedDeposit()]);
    const page = await openReview();
    await page.drawer.findByText(/^Reserved for you until/);
    const field = await page.drawer.findByLabelText(/Amount to credit/i);
    await page.user.clear(field);
    await page.user.type(field, '70');
    await atAnotherRate(page);
    expect(field).toHaveValue('70');
  });
});

describe('a payment that several people claim', () => {
  const rival = {
    _id: 'dep-9',
    user: karim,
    isVerified: false,
    userSince: '2026-11-01T04:00:00Z',
    paymentMethod: 'Nagad' as const,
    amount: 75,
    status: 'pending' as const,
    createdAt: '2026-11-19T04:54:00Z',
  };

  it('shows the others beside the row', async () => {
    queues([aQueuedDeposit({ disputed: true, disputes: [rival] })]);
    const { drawer } = await openReview();
    expect(await drawer.findByText('Others report the same payment')).toBeVisible();
    expect(drawer.getByRole('link', { name: 'karim' })).toBeVisible();
    expect(drawer.getByText(/^\$75\.00 with Nagad, /)).toBeVisible();
    expect(drawer.getByText(/address not verified$/)).toBeVisible();
    expect(drawer.queryByText('Never used before')).toBeNull();
    expect(screen.getByText('Disputed')).toBeVisible();
  });

  it('can only be rejected when it was credited to another', async () => {
    queues([aQueuedDeposit({ disputed: true, disputes: [{ ...rival, status: 'completed' }] })]);
    const { drawer } = await openReview();
    await drawer.findByText(/^Reserved for you until/);
    expect(drawer.getByText('The payment is credited already. This one can only be rejected.')).toBeVisible();
    expect(drawer.queryByRole('button', { name: /^Approve/ })).toBeNull();
    expect(drawer.getByRole('button', { name: 'Reject' })).toBeEnabled();
  });
});

it('an old deposit is credited with what its taka are worth now', async () => {
  queues([aQueuedDeposit({ creditRate: 128, creditAmount: 76.87 })]);
  const calls = onPost('/admin/deposit/approve/dep-1', () =>
    HttpResponse.json({
      message: 'Balance updated successfully',
      deposit: aQueuedDeposit({ status: 'completed', amount: 76.87 }),
    }),
  );
  const { user, drawer } = await openReview();
  await drawer.findByText(/^Reserved for you until/);
  expect(drawer.getByText('1 USD = ৳128: the taka sent are $76.87')).toBeVisible();
  expect(drawer.getByText('what the taka sent are worth now')).toBeVisible();
  await user.click(drawer.getByRole('button', { name: 'Approve $76.87' }));
  await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ amount: 76.87, userId: 'u-sabbir' }]));
});

describe('a first deposit', () => {
  it('has a mark, and the review says whether the address is verified', async () => {
    queues([aQueuedDeposit({ history: { approved: 0, refused: 0, waiting: 0 }, isVerified: false })]);
    renderAt('/admin/deposit?review=dep-1');
    expect(await screen.findByText('First deposit', { selector: ':not(option)' })).toBeVisible();
    const drawer = within(await screen.findByRole('dialog', { name: /sabbir reports/ }));
    expect(drawer.getByText(/first deposit, address not verified/)).toBeVisible();
  });
});

const claimed = 80_00;

const issues = (amount: string, again: string, reason: string, due: Due) =>
  approvalSchema(due).safeParse({ amount, taka: '', typed: 'usd', again, reason }).error?.issues ?? [];

const broken = (amount: string, again = '', reason = '') =>
  issues(amount, again, reason, { claimed, worth: claimed }).map(({ message }) => message);

describe('the amount to credit', () => {
  it.each(['', '0', '0.00', '.'])('is a number above 0, so not "%s"', (amount) => {
    expect(broken(amount)).toEqual(['rule.amount']);
  });

  it.each(['80', '80.0', '80.00', '৮০'])('needs nothing more when it is the claimed one: %s', (amount) => {
    expect(broken(amount)).toEqual([]);
  });

  it('is typed twice and explained when it is another', () => {
    expect(broken('77')).toEqual(['rule.again', 'rule.reason']);
    expect(broken('77', '78', 'less arrived')).toEqual(['rule.again']);
    expect(broken('77', '77.00', '  ')).toEqual(['rule.reason']);
    expect(broken('77', '77.00', 'less arrived')).toEqual([]);
  });
});

describe('the amount to credit for an old deposit', () => {
  const old = (amount: string, worth: number, again = '', reason = '') =>
    issues(amount, again, reason, { claimed, worth }).map(({ path }) => path[0]);

  it('is what the taka sent are worth now, without a word', () => {
    expect(old('77', 77_00)).toEqual([]);
  });

  it('is explained when it is not that, or far from the claimed amount', () => {
    expect(old('80', 77_00)).toEqual(['again', 'reason']);
    expect(old('71.99', 71_99)).toEqual(['reason']);
    expect(old('71.99', 71_99, '', 'the rate has changed')).toEqual([]);
  });
});

describe('the amount to credit in taka', () => {
  const inTyped = (taka: string, again: string) =>
    approvalSchema({ claimed, worth: claimed })
      .safeParse({ amount: inDollars(taka, 123), taka, typed: 'bdt', again, reason: 'less arrived' })
      .error?.issues.map(({ message }) => message) ?? [];

  it('is counted at whole taka a dollar, rounded down, and back', () => {
    expect(inDollars('9471', 123)).toBe('77.00');
    expect(inDollars('9470', 123)).toBe('76.99');
    expect(inDollars('৯৪৭১', 123)).toBe('77.00');
    expect(inDollars('', 123)).toBe('');
    expect(inTaka('77', 123)).toBe('9471');
    expect(inTaka('76.99', 123)).toBe('9469.77');
    expect(inTaka('', 123)).toBe('');
    expect(centsOf(12_300_00, 123)).toBe(100_00);
  });

  it('is typed again in taka', () => {
    expect(inTyped('9471', '77')).toEqual(['rule.again']);
    expect(inTyped('9471', '৯৪৭১')).toEqual([]);
    expect(inTyped('9840', '')).toEqual([]);
  });
});
