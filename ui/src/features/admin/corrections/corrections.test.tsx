import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import type { Correction } from '@/api/contract';
import { aUser, recordOf } from '@/testing/admin';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { server } from '@/testing/server';
import { karim, nadia, onPost, queues, refusal } from '../fixtures';

const ID = '01a20000-0000-7000-8000-000000000001';
const USER = '01a20000-0000-7000-8000-000000000002';
const WHY = 'A deposit was credited twice.';
const { _id, username, profilePic, isStaff } = nadia;
const byNadia = { _id, username, profilePic, isStaff };
const said = () => notices.map(({ kind, text }) => [kind, text]);

function correctionOf(over: Partial<Correction> = {}): Correction {
  return {
    _id: ID,
    user: { _id: USER, username: 'sabbir', profilePic: '', isStaff: false },
    direction: 'debit',
    amount: 40,
    balance: 100,
    reason: WHY,
    note: '',
    status: 'open',
    proposedBy: karim,
    proposedAt: '2026-11-19T04:54:00Z',
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    decidedBy: null,
    decidedAt: null,
    decision: null,
    ...over,
  };
}

/** Signs in as Nadia, with these corrections and Sabbir's balance of $212.40. */
function corrections(...rows: Correction[]) {
  queues();
  server.use(
    http.get('*/api/admin/corrections', () => HttpResponse.json({ page: 1, pages: 1, total: rows.length, corrections: rows })),
    http.get('*/api/admin/corrections/:id', () => HttpResponse.json(rows[0])),
    http.get('*/api/admin/users/:id', () => HttpResponse.json(recordOf(aUser({ _id: USER })))),
  );
}

async function openForm() {
  corrections();
  const page = renderAt(`/admin/corrections?propose=${USER}`);
  const form = within(await screen.findByRole('dialog', { name: 'Propose a correction' }));
  await form.findByDisplayValue('sabbir');
  return { ...page, form };
}

async function openReview(row: Correction) {
  corrections(row);
  const page = renderAt(`/admin/corrections?review=${ID}`);
  return { ...page, drawer: within(await screen.findByRole('dialog', { name: '− $40.00' })) };
}

it('a proposal needs an amount and a reason', async () => {
  const calls = onPost('/admin/corrections');
  const { user, form } = await openForm();
  await user.click(form.getByRole('button', { name: 'Propose' }));
  expect(await form.findByText('Enter a valid amount')).toBeVisible();
  expect(form.getByText('Write a reason.')).toBeVisible();
  expect(form.queryByText('Choose a user.')).toBeNull();
  expect(calls).toEqual([]);
});

it('a proposal says what the balance will be and is sent once', async () => {
  const { user, form } = await openForm();
  const calls = onPost('/admin/corrections', () =>
    HttpResponse.json({ message: '', correction: correctionOf({ proposedBy: byNadia }) }, { status: 201 }),
  );
  await user.click(form.getByRole('radio', { name: 'Take money off' }));
  await user.type(form.getByLabelText('Amount'), '40');
  expect(form.getByText('$172.40')).toBeVisible();
  await user.type(form.getByLabelText(/^Reason/), WHY);
  await user.click(form.getByRole('button', { name: 'Propose' }));
  await waitFor(() => expect(said()).toEqual([['success', 'The correction has been proposed.']]));
  expect(calls.map(({ body }) => body)).toEqual([{ userId: USER, direction: 'debit', amount: 40, reason: WHY, note: '' }]);
  expect(screen.queryByRole('dialog', { name: 'Propose a correction' })).toBeNull();
});

it('a refused proposal keeps what was typed', async () => {
  const { user, form } = await openForm();
  onPost('/admin/corrections', refusal(409, 'conflict', 'The account is closed.'));
  await user.type(form.getByLabelText('Amount'), '40');
  await user.type(form.getByLabelText(/^Reason/), WHY);
  await user.click(form.getByRole('button', { name: 'Propose' }));
  await waitFor(() => expect(said()).toEqual([['error', 'The account is closed.']]));
  expect(form.getByLabelText('Amount')).toHaveValue('40');
  expect(form.getByLabelText(/^Reason/)).toHaveValue(WHY);
  expect(form.getByRole('button', { name: 'Propose' })).toBeEnabled();
});

it('admins cannot confirm what they proposed', async () => {
  const { drawer } = await openReview(correctionOf({ proposedBy: byNadia }));
  expect(await drawer.findByText('You proposed this. Another admin has to confirm it.')).toBeVisible();
  expect(drawer.queryByRole('button', { name: 'Confirm' })).toBeNull();
  expect(drawer.queryByRole('button', { name: 'Reject' })).toBeNull();
  expect(drawer.getByRole('button', { name: 'Withdraw' })).toBeEnabled();
});

it('admins cannot decide about their own balance', async () => {
  const { drawer } = await openReview(correctionOf({ user: byNadia }));
  expect(await drawer.findByText('It is your own balance. Other admins decide.')).toBeVisible();
  expect(drawer.queryByRole('button', { name: /^(Confirm|Reject|Withdraw)$/ })).toBeNull();
});

it('a debit of more than there is can only be rejected', async () => {
  const { drawer } = await openReview(correctionOf({ balance: 39.99 }));
  expect(await drawer.findByText('The balance is less than the debit, so it cannot be confirmed now.')).toBeVisible();
  expect(drawer.queryByRole('button', { name: 'Confirm' })).toBeNull();
  expect(drawer.getByRole('button', { name: 'Reject' })).toBeEnabled();
});

it('another admin confirms', async () => {
  const row = correctionOf();
  const calls = onPost(`/admin/corrections/${ID}/confirm`, () =>
    HttpResponse.json({ message: '', correction: { ...row, status: 'confirmed', decidedBy: byNadia } }),
  );
  const { user, drawer } = await openReview(row);
  await user.click(await drawer.findByRole('button', { name: 'Confirm' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Take $40.00 off the balance of sabbir?' }));
  await user.click(question.getByRole('button', { name: 'Confirm' }));
  expect(await drawer.findByText('The balance of sabbir has been corrected.')).toBeVisible();
  expect(calls).toHaveLength(1);
  expect(calls[0]?.key).toBeTruthy();
});

it('another admin rejects, with a reason', async () => {
  const row = correctionOf();
  const calls = onPost(`/admin/corrections/${ID}/reject`, () =>
    HttpResponse.json({
      message: '',
      correction: { ...row, status: 'rejected', decidedBy: byNadia, decision: 'Credited once.' },
    }),
  );
  const { user, drawer } = await openReview(row);
  await user.click(await drawer.findByRole('button', { name: 'Reject' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Reject' }));
  expect(await question.findByText('Write why you reject this correction.')).toBeVisible();
  expect(calls).toEqual([]);
  await user.type(question.getByRole('textbox'), 'Credited once.');
  await user.click(question.getByRole('button', { name: 'Reject' }));
  expect(await drawer.findByText('The correction has been rejected.')).toBeVisible();
  expect(calls.map(({ body }) => body)).toEqual([{ reason: 'Credited once.' }]);
});

it('its proposer withdraws it', async () => {
  const row = correctionOf({ proposedBy: byNadia });
  const calls = onPost(`/admin/corrections/${ID}/withdraw`, () =>
    HttpResponse.json({ message: '', correction: { ...row, status: 'withdrawn', decidedBy: byNadia } }),
  );
  const { user, drawer } = await openReview(row);
  await user.click(await drawer.findByRole('button', { name: 'Withdraw' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Withdraw' }));
  expect(await drawer.findByText('The correction has been withdrawn.')).toBeVisible();
  expect(calls).toHaveLength(1);
});
