import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { keys } from '@/entities/keys';
import { aDeposit, aWait, aWithdrawal, histories } from '@/features/wallet/fixtures';
import { aDetail, openDeal, serveDeal } from '../deals';
import { queryClient } from '../query-client';
import { renderAt } from '../render';
import { nusrat, nusratsAccount, receivers, server, signedInAs } from '../server';
import { broken, done, enter, failures, type Row, specTexts, type Trigger } from './harness';

const given = () => {
  signedInAs(nusrat);
  histories();
};
const open = (path: string): Trigger['act'] => {
  return () => Promise.resolve(renderAt(path));
};

async function openDeposit() {
  const app = renderAt('/deposit?method=Bkash');
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByLabelText('Amount to add');
  return { ...app, dialog };
}

const deposit: Trigger = {
  when: 'a user reports a deposit',
  call: 'POST /auth/deposit',
  given,
  act: async () => {
    const { user, dialog } = await openDeposit();
    enter('Amount to add', '100');
    enter(/^Transaction ID/, 'CKJ8T2WV5C');
    await user.click(dialog.getByRole('button', { name: /^I have sent/ }));
  },
};
const withdraw: Trigger = {
  when: 'a user asks for a withdrawal',
  call: 'POST /withdraw',
  given,
  act: async () => {
    const { user } = renderAt('/withdraw?method=Nagad');
    const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw to Nagad' }));
    await dialog.findByText('Available: $212.40');
    enter('Amount to withdraw', '40');
    enter(/^Phone number/, '01712448840');
    await user.click(dialog.getByRole('button', { name: /^Withdraw/ }));
    await user.click(await screen.findByRole('button', { name: 'Send it' }));
  },
};
const deposited = done(() => ({ success: true, message: '', deposit: aDeposit(), wait: aWait }), 201);
const withdrawn = done(() => ({ success: true, message: '', withdrawal: aWithdrawal() }), 201);

const copyNumber: Trigger = {
  when: 'a user copies the number to send to',
  call: 'GET /wallet/receivers',
  given,
  act: async () => {
    const { user, dialog } = await openDeposit();
    await user.click(await dialog.findByRole('button', { name: /the number/ }));
  },
};

specTexts('deposits and withdrawals', [
  { text: 'Deposit submitted successfully!', trigger: deposit, server: deposited, as: 'success' },
  ...failures({ text: 'Failed to submit deposit, please try again', trigger: deposit }),
  { text: 'Withdrawal submitted successfully!', trigger: withdraw, server: withdrawn, as: 'success' },
  ...failures({ text: 'Failed to submit withdrawal', trigger: withdraw }),
  { own: 'Phone number copied', trigger: copyNumber, server: done(receivers), as: 'success' },
]);

const seeBalance: Trigger = { when: 'a user opens his balance', call: 'GET /wallet', given, act: open('/balance') };
const seeAvailable: Trigger = { ...seeBalance, when: 'a user opens the withdrawals', act: open('/withdraw') };
const refreshBalance: Trigger = {
  ...seeBalance,
  when: 'the balance in the navbar is refreshed',
  given: () => {
    given();
    const held = { wallet: 212.4, inEscrow: 0, inEscrowSales: 0, pendingWithdrawal: 0, minWithdrawal: 1 };
    queryClient.setQueryData(keys.wallet, held, { updatedAt: 1 });
  },
  act: open('/dashboard'),
};
const seeOffer: Trigger = {
  ...seeBalance,
  when: 'the buyer opens an offer',
  given: serveDeal,
  act: () => openDeal(nusrat, aDetail()),
};
const seeDeposits: Trigger = { ...seeBalance, when: 'a user looks at his deposits', call: 'GET /auth/deposit/history' };
const seeWithdrawals: Trigger = {
  ...seeBalance,
  when: 'a user looks at his withdrawals',
  call: 'GET /withdraw/history',
};
const seeWorth: Trigger = { ...seeBalance, when: 'a user wants to know his balance in taka', call: 'GET /exchange-rate' };
const seeTaka: Trigger = { ...seeWorth, when: 'a user wants to know what to send', act: () => openDeposit() };

specTexts('what a user has', [
  ...failures({ text: 'An error occurred while fetching the wallet balance.', trigger: seeBalance }),
  ...failures({ text: 'An error occurred while fetching the wallet balance.', trigger: seeAvailable }),
  ...failures({ text: 'An error occurred while fetching the wallet balance.', trigger: refreshBalance }),
  { text: 'An error occurred while fetching the wallet balance.', trigger: seeOffer, server: broken, as: 'page' },
  ...failures({ text: 'Failed to fetch deposit or withdraw history', trigger: seeDeposits }),
  ...failures({ text: 'Failed to fetch deposit or withdraw history', trigger: seeWithdrawals }),
  ...failures({ text: 'Failed to fetch conversion rate', trigger: seeWorth }),
  ...failures({ text: 'Failed to fetch conversion rate', trigger: seeTaka }),
]);

const referral = (when: string, call: Trigger['call']): Trigger => ({
  ...{ when, call, act: open('/refer') },
  given: () => {
    signedInAs(nusrat);
    server.use(
      http.get('*/api/auth/me', () => HttpResponse.json(nusratsAccount)),
      http.get('*/api/deals/refer/stats', () => HttpResponse.json({ totalReferred: 3, referralEarnings: 12.5 })),
    );
  },
});
const LINK: Row = {
  trigger: referral('a user wants his referral link', 'GET /auth/me'),
  server: broken,
  as: 'silence',
  then: () => screen.findByText('Your link could not be loaded.'),
};
const STATS: Row = {
  trigger: referral('a user wants to know what it has brought', 'GET /deals/refer/stats'),
  server: broken,
  as: 'silence',
  then: () => screen.findByText('Your results could not be loaded.'),
};
specTexts('what is only logged of referrals', [LINK, STATS]);
