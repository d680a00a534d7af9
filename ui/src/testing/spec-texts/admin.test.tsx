import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { anOpenDeal, aQueuedDeposit, aQueuedWithdrawal, dealQueues, queues } from '@/features/admin/fixtures';
import { aUser, recordOf } from '../admin';
import { renderAt } from '../render';
import { server } from '../server';
import { broken, done, enter, failures, lost, mute, refused, specTexts, type Trigger, WORD } from './harness';

/** Opens a review and waits for its claim. */
async function review(path: string) {
  const app = renderAt(path);
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText(/^Reserved for you until/);
  return { ...app, drawer };
}

/** Presses a button of the review, and confirms if asked. */
async function decide({ user, drawer }: Awaited<ReturnType<typeof review>>, name: string, asks: boolean): Promise<void> {
  await user.click(drawer.getByRole('button', { name }));
  if (asks) await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));
}

const onDeposit = (when: string, path: string, name: string, asks: boolean): Trigger => ({
  when,
  call: `POST /admin/deposit/${path}/dep-1`,
  given: () => void queues([aQueuedDeposit()]),
  act: async () => decide(await review('/admin/deposit?review=dep-1'), name, asks),
});
const onWithdrawal = (when: string, path: string, name: string, asks: boolean): Trigger => ({
  when,
  call: `POST /admin/withdrawals/wd-1/${path}`,
  given: () => void queues([], [aQueuedWithdrawal()]),
  act: async () => decide(await review('/admin/withdrawal?review=wd-1'), name, asks),
});
const onDeal = (when: string, path: string, name: string): Trigger => ({
  when,
  call: `POST /admin/deals/${path}/d-1`,
  given: () => void dealQueues([anOpenDeal()]),
  act: async () => {
    const app = renderAt('/admin/deals?review=d-1');
    const drawer = within(await screen.findByRole('dialog', { name: 'Ranna Ghor 24' }));
    await drawer.findByText('nusrat paid');
    await decide({ ...app, drawer }, name, true);
  },
});

const approve = onDeposit('an admin approves a deposit', 'approve', 'Approve $80.00', false);
const rejectDeposit = onDeposit('an admin rejects a deposit', 'reject', 'Reject', true);
const send = onWithdrawal('an admin sends a withdrawal', 'send', 'Send $40.00', false);
const rejectWithdrawal = onWithdrawal('an admin rejects a withdrawal', 'reject', 'Reject', true);
const complete = onDeal('an admin completes a deal', 'complete', 'Pay seller $470.40');
const cancel = onDeal('an admin cancels a deal', 'cancel', 'Refund $480.00');

const deposit = (status: 'completed' | 'Failed') => done(() => ({ message: '', deposit: aQueuedDeposit({ status }) }));
const withdrawal = (status: 'completed' | 'failed') => done(() => ({ message: '', withdrawal: aQueuedWithdrawal({ status }) }));
const completed = done(() => ({ message: '', deal: anOpenDeal({ status: 'Completed' }) }));

specTexts('what an admin does', [
  { text: 'Balance updated successfully', trigger: approve, server: deposit('completed'), as: 'success' },
  { text: 'Error updating balance', trigger: approve, server: lost, as: 'error' },
  { text: 'Error updating balance', trigger: approve, server: broken, as: 'error' },
  { text: 'Failed to update balance', trigger: approve, server: mute, as: 'error' },
  { text: 'Failed to update balance', trigger: approve, server: refused, as: 'error', instead: WORD },
  { text: 'Deposit rejected successfully', trigger: rejectDeposit, server: deposit('Failed'), as: 'success' },
  ...failures({ text: 'Error rejecting deposit', trigger: rejectDeposit }),
  { text: 'Withdrawal sent successfully. Balance updated.', trigger: send, server: withdrawal('completed'), as: 'success' },
  ...failures({ text: 'An error occurred while processing the withdrawal.', trigger: send }),
  { text: 'Withdrawal has been rejected.', trigger: rejectWithdrawal, server: withdrawal('failed'), as: 'success' },
  ...failures({ text: 'An error occurred while rejecting the withdrawal.', trigger: rejectWithdrawal }),
  { text: 'Deal marked as completed', trigger: complete, server: completed, as: 'success' },
  ...failures({ text: 'Something went wrong while completing the deal.', trigger: complete }),
  ...failures({ text: 'Something went wrong while canceling the deal.', trigger: cancel }),
]);

const read = (what: string, path: string, call: Trigger['call']): Trigger => ({
  when: `an admin opens ${what}`,
  call,
  given: () => void queues(),
  act: () => Promise.resolve(renderAt(path)),
});
const bugs = read('the bug reports', '/admin/bug-reports', 'GET /admin/bug-reports');
const users = read('the users', '/admin/users', 'GET /admin/users');
const deals = read('the deals', '/admin/deals', 'GET /admin/deals');
const requests = read('the support requests', '/admin/support-requests', 'GET /admin/support-request');

const NUSRAT = '0198a000-0000-7000-8000-000000000001';
const TANVIR = '0198a000-0000-7000-8000-000000000002';
const inspect: Trigger = {
  when: 'an admin looks at what two users wrote',
  call: `GET /admin/messages/by-users/${NUSRAT}/${TANVIR}`,
  given: () => {
    queues();
    server.use(
      http.get('*/api/admin/users/:id', ({ params }) =>
        HttpResponse.json(recordOf(aUser({ _id: String(params.id), username: 'somebody' }))),
      ),
    );
  },
  act: async () => {
    const { user } = renderAt(`/admin/chat?one=${NUSRAT}&other=${TANVIR}`);
    await user.click(await screen.findByRole('button', { name: 'Show messages' }));
  },
};
const find: Trigger = {
  when: 'an admin looks for a user',
  call: 'GET /admin/users/search',
  given: () => void queues(),
  act: async () => {
    renderAt('/admin/chat');
    await screen.findByRole('combobox', { name: 'One user' });
    enter('One user', 'nusrat');
  },
};
const none = done(() => HttpResponse.json([], { headers: { 'X-Total-Count': '0' } }));

specTexts('what an admin reads', [
  ...failures({ text: 'Failed to fetch bug reports.', trigger: bugs, as: 'alert' }),
  ...failures({ text: 'Failed to fetch users', trigger: users, as: 'alert' }),
  ...failures({ text: 'Failed to fetch deals', trigger: deals, as: 'alert' }),
  ...failures({ text: 'Failed to fetch support requests', trigger: requests, as: 'alert' }),
  { text: 'No bug reports found.', trigger: bugs, server: none, as: 'page' },
  { text: 'No users found.', trigger: users, server: none, as: 'page' },
  { text: 'No users found.', trigger: find, server: none, as: 'status' },
  { text: 'Failed to search users', trigger: find, server: broken, as: 'error' },
  { text: 'Failed to search users', trigger: find, server: refused, as: 'error', more: WORD },
  { text: 'No messages found', trigger: inspect, server: done(() => ({ messages: [], nextBefore: null })), as: 'page' },
  ...failures({ text: 'Message load failed', trigger: inspect, as: 'alert' }),
]);
