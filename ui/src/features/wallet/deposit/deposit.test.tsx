import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keys } from '@/entities/keys';
import { setLanguage } from '@/i18n';
import { aDetail } from '@/testing/deals';
import { doneAs } from '@/testing/outcomes';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';
import { aDeposit, aWait, histories } from '../fixtures';

const DEAL = '0198c0de-0000-7000-8000-000000000001';

type Sent = { body: unknown; key: string | null };
let sent: Sent[];
const errors = () => notices.filter(({ kind }) => kind === 'error').map(({ text }) => text);

/** Responses of the call in turn; the last one repeats. */
function answers(...list: (() => Response)[]) {
  server.use(
    http.post('*/api/auth/deposit', async ({ request }) => {
      sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return (list.length > 1 ? list.shift() : list[0])?.();
    }),
  );
}

const accepted = () =>
  HttpResponse.json(
    { success: true, message: 'Deposit submitted successfully!', deposit: aDeposit(), wait: aWait },
    { status: 201 },
  );
const duplicate = () => {
  const message = 'This transaction ID has already been used.';
  return HttpResponse.json({ code: 'duplicate', message, fields: { transactionId: message } }, { status: 409 });
};

async function openDialog(method = 'Bkash') {
  const page = renderAt(`/deposit?method=${method}`);
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('1 USD = ৳123');
  return {
    ...page,
    dialog,
    amount: dialog.getByLabelText('Amount to add'),
    id: dialog.getByLabelText(/^Transaction ID/),
    submit: (user: UserEvent) => user.click(dialog.getByRole('button', { name: /^I have sent/ })),
  };
}

beforeEach(() => {
  sent = [];
  sessionStorage.clear();
  signedInAs(nusrat);
  histories();
});

describe('the deposit dialog', () => {
  it('opens from the tile of a method', async () => {
    const { user, router } = renderAt('/deposit');
    await user.click(await screen.findByRole('button', { name: /Nagad/ }));
    expect(await screen.findByRole('dialog', { name: 'Add money with Nagad' })).toBeVisible();
    expect(router.state.location.search).toEqual({ method: 'Nagad' });
    expect(await screen.findByText('01811-482390')).toBeVisible();
    expect(screen.getByText('Nagad TrxIDs usually have 8 characters.')).toBeVisible();
  });

  it('is left by Back or closed, and Back does not open it again', async () => {
    const { user, router } = renderAt('/balance');
    const here = () => router.state.location.href;
    for (const way of ['Escape', 'Back']) {
      const [deposit] = await screen.findAllByRole('link', { name: 'Add money' });
      await user.click(deposit ?? document.body);
      await screen.findByRole('dialog', { name: 'Add money' });
      expect(router.state.location.state.actionType).toBe('deposit');
      await user.click(await screen.findByRole('button', { name: /Nagad/ }));
      await screen.findByRole('dialog', { name: 'Add money with Nagad' });
      if (way === 'Escape') await user.keyboard('{Escape}');
      else act(() => router.history.back());
      await waitFor(() => expect(here()).toBe('/balance'));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(router.history.canGoBack()).toBe(false);
    }
  });

  it.each([
    ['bKash', []],
    ['Nagad', [aDeposit({ paymentMethod: 'Nagad', status: 'completed' })]],
  ])('offers %s first, the method used last or else bKash', async (method, deposits) => {
    histories(deposits);
    renderAt('/deposit');
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^(bKash|Nagad)/ })[0]).toHaveTextContent(method));
  });

  it('opened by its address, closes to the balance', async () => {
    const { user, router } = await openDialog();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(router.state.location.href).toBe('/balance'));
    expect(router.history.length).toBe(1);
  });

  it('says the rules in the order of the specification', async () => {
    const { user, amount, id, submit } = await openDialog();
    const says = async (text: string) => {
      await submit(user);
      await waitFor(() => expect(errors().at(-1)).toBe(text));
    };
    await says('Please fill out all fields.');
    await user.type(amount, '0');
    await says('Please fill out all fields.');
    await user.type(id, 'abc');
    await says('Invalid amount or transaction ID');
    await user.clear(amount);
    await user.type(amount, '10');
    await says('Invalid transaction ID format. It should be 8-12 alphanumeric characters.');
    await user.clear(id);
    await user.type(id, '   ');
    await says('Invalid amount or transaction ID');
    expect(sent).toEqual([]);
    expect(id).toBeInvalid();
  });

  it('counts taka at the rate rounded up, to be copied exactly', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    const { user, dialog, amount } = await openDialog();
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
    await user.type(amount, '১০০');
    expect(amount).toHaveValue('100');
    expect(dialog.getByRole('button', { name: 'I have sent ৳12,300' })).toBeVisible();
    await user.click(dialog.getByRole('button', { name: /the taka/ }));
    await user.click(dialog.getByRole('button', { name: /the number/ }));
    expect(writeText.mock.calls).toEqual([['12300'], ['01711482390']]);
    expect(notices.map(({ text }) => text)).toContain('Phone number copied');
  });

  it('sends Bangla digits as Latin ones, and shows the new row', async () => {
    answers(accepted);
    const { deposits } = histories();
    const { user, amount, id, submit, router } = await openDialog();
    await user.type(amount, '১২.৫০');
    await user.type(id, 'ckj৮t২wv৫c');
    deposits.push(aDeposit());
    await submit(user);
    await waitFor(() => expect(notices.map(({ text }) => text)).toContain('Deposit submitted successfully!'));
    expect(sent[0]?.body).toEqual({
      ...{ amount: 12.5, transactionId: 'CKJ8T2WV5C', paymentMethod: 'Bkash', receiver: '01711482390' },
      ...{ actionType: 'deposit', convertedAmount: 1537.5 },
    });
    expect(sent[0]?.key).toMatch(/^.{8,200}$/);
    const receipt = within(await screen.findByRole('dialog', { name: 'We’re checking ৳12,300' }));
    await user.click(await receipt.findByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.href).toBe('/balance');
    expect(await screen.findAllByText('pending')).not.toHaveLength(0);
    // The result of this deposit is not shown for the next one.
    await user.click(screen.getAllByRole('link', { name: 'Add money' })[0] ?? document.body);
    expect(await screen.findByRole('dialog', { name: 'Add money' })).toBeVisible();
  });

  it('turns into a receipt that says how long it takes, and leads to the deposit in its own place', async () => {
    answers(accepted);
    histories([aDeposit()]);
    const { user, amount, id, submit, router } = await openDialog();
    await user.type(amount, '100');
    await user.type(id, 'CKJ8T2WV5C');
    await submit(user);
    const receipt = within(await screen.findByRole('dialog', { name: 'We’re checking ৳12,300' }));
    expect(await receipt.findByText('Usually within 30 minutes')).toBeVisible();
    expect(receipt.getByText('We’ll notify and email you.')).toBeVisible();
    expect(receipt.getByText('CKJ8T2WV5C')).toBeVisible();
    expect(receipt.queryByText(/^We’re closed now/)).toBeNull();
    await waitFor(() => expect(screen.getByText('We’re checking ৳12,300')).toHaveFocus());
    await user.click(receipt.getByRole('link', { name: 'Follow this deposit' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/balance/deposits/dep-1'));
    expect(await screen.findByRole('heading', { level: 1, name: 'We’re checking ৳12,300' })).toBeVisible();
    expect(router.history.length).toBe(1);
  });

  it('promises no email to an address that is not verified, and offers the link', async () => {
    answers(accepted);
    const links: string[] = [];
    server.use(
      http.post('*/api/auth/resend-verification', ({ request }) => {
        links.push(request.url);
        return HttpResponse.json(doneAs('verification_link_sent'));
      }),
    );
    signedInAs({ ...nusrat, isVerified: false });
    const { user, amount, id, submit } = await openDialog();
    await user.type(amount, '100');
    await user.type(id, 'CKJ8T2WV5C');
    await submit(user);
    const receipt = within(await screen.findByRole('dialog', { name: 'We’re checking ৳12,300' }));
    expect(await receipt.findByText(/^We’ll notify you\. Verify your email/)).toBeVisible();
    expect(receipt.queryByText('We’ll notify and email you.')).toBeNull();
    await user.click(receipt.getByRole('button', { name: 'Send the link again' }));
    await waitFor(() => expect(links).toHaveLength(1));
  });

  it('says when checking goes on, and no time while closed', async () => {
    const wait = { ...aWait, open: false, nextOpenAt: '2026-11-20T03:00:00Z' };
    answers(() => HttpResponse.json({ success: true, message: '', deposit: aDeposit(), wait }, { status: 201 }));
    const { user, amount, id, submit } = await openDialog();
    await user.type(amount, '100');
    await user.type(id, 'CKJ8T2WV5C');
    await submit(user);
    expect(await screen.findByText('We’re closed now and continue on 20 Nov, 09:00.')).toBeVisible();
    expect(screen.queryByText(/^Usually within/)).toBeNull();
  });

  it('says so where deposits are checked at any hour, and counts long waits in hours', async () => {
    const wait = { ...aWait, usualMinutes: null as number | null, from: '00:00', to: '24:00' };
    answers(() => HttpResponse.json({ success: true, message: '', deposit: aDeposit(), wait }, { status: 201 }));
    server.use(http.get('*/api/deposits/dep-1', () => HttpResponse.json({ deposit: aDeposit(), wait, paper: null })));
    const { user, amount, id, submit } = await openDialog();
    await user.type(amount, '100');
    await user.type(id, 'CKJ8T2WV5C');
    await submit(user);
    expect(await screen.findByText('We check deposits at any hour.')).toBeVisible();
    wait.usualMinutes = 125;
    await user.click(screen.getByRole('link', { name: 'Follow this deposit' }));
    expect(await screen.findByText('Usually within 3 hours')).toBeVisible();
  });

  it.each([
    ['Nagad', 'bKash', [aDeposit({ paymentMethod: 'Nagad', status: 'completed' })]],
    ['bKash', 'Nagad', []],
  ])('for a deal has the form of %s open, the method used last or else bKash', async (method, other, deposits) => {
    histories(deposits);
    const { user } = renderAt(`/deposit?amount=46.5&deal=${DEAL}`);
    const dialog = within(await screen.findByRole('dialog', { name: `Add money with ${method}` }));
    expect(dialog.getByRole('button', { name: new RegExp(`^${method}`) })).toHaveAttribute('aria-pressed', 'true');
    await user.click(dialog.getByRole('button', { name: new RegExp(`^${other}`) }));
    expect(await screen.findByRole('dialog', { name: `Add money with ${other}` })).toBeVisible();
    expect(await dialog.findByLabelText('Amount to add')).toHaveValue('46.50');
  });

  it('for a deal holds what is missing, and leads to the deal, which asks for nothing more', async () => {
    const deposit = aDeposit({ amount: 46.5, claimedAmount: 46.5, dealId: DEAL });
    answers(() => HttpResponse.json({ success: true, ...doneAs('deposit_submitted'), deposit, wait: aWait }, { status: 201 }));
    const { user, router } = renderAt(`/deposit?amount=46.5&deal=${DEAL}`);
    const dialog = within(await screen.findByRole('dialog', { name: 'Add money with bKash' }));
    await dialog.findByText('1 USD = ৳123');
    await user.type(dialog.getByLabelText(/^Transaction ID/), 'CKJ8T2WV5C');
    server.use(
      http.get(`*/api/deals/${DEAL}`, () => HttpResponse.json(aDetail({ _id: DEAL, price: 258.9 }))),
      // Whatever the list is by then: the deal has heard of the deposit.
      http.get('*/api/deposits/pending', () => new Promise<never>(() => undefined)),
    );
    await user.click(dialog.getByRole('button', { name: /^I have sent/ }));
    expect(await screen.findAllByText('$46.50 is being checked')).not.toHaveLength(0);
    expect(sent[0]?.body).toMatchObject({ amount: 46.5, dealId: DEAL });
    expect(screen.queryByRole('link', { name: /^Add/ })).toBeNull();
    expect(router.state.location.pathname).toBe(`/deal/${DEAL}`);
    expect(router.history.length).toBe(1);
  });

  it('takes the id out of a pasted SMS', async () => {
    const { user, id } = await openDialog();
    await user.click(id);
    await user.paste('You have sent Tk 12,300.00 to 01711482390. TrxID CKJ8T2WV5C at 19/11/2026');
    expect(id).toHaveValue('CKJ8T2WV5C');
  });

  it('shows a used id at its field and keeps what was typed', async () => {
    answers(duplicate);
    const { user, amount, id, submit, dialog } = await openDialog();
    await user.type(amount, '100');
    await user.type(id, 'CKJ8T2WV5C');
    await submit(user);
    expect(await dialog.findByText('This transaction ID has already been used.')).toBeVisible();
    expect(id).toHaveAccessibleDescription('This transaction ID has already been used.');
    expect(errors()).toEqual(['This transaction ID has already been used.']);
    expect([amount, id].map((field) => (field as HTMLInputElement).value)).toEqual(['100', 'CKJ8T2WV5C']);
  });

  it('shows the new sum when the rate has changed, and keeps what was typed', async () => {
    const message = 'The exchange rate has changed. Please check the amount and try again.';
    answers(() => HttpResponse.json({ code: 'rate_changed', message }, { status: 409 }), accepted);
    const { user, amount, id, submit, dialog } = await openDialog();
    await user.type(amount, '100');
    await user.type(id, 'CKJ8T2WV5C');
    server.use(http.get('*/api/exchange-rate', () => HttpResponse.json({ usdToBdt: 130.2 })));
    await submit(user);
    expect(await dialog.findByText(message)).toBeVisible();
    expect(amount).toHaveAccessibleDescription(expect.stringContaining(message));
    expect(await dialog.findByRole('button', { name: 'I have sent ৳13,100' })).toBeVisible();
    expect([amount, id].map((field) => (field as HTMLInputElement).value)).toEqual(['100', 'CKJ8T2WV5C']);
    await submit(user);
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.body).toMatchObject({ convertedAmount: 13_100 });
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  it('says that somebody else has reported the same id', async () => {
    const done = doneAs('deposit_disputed');
    const deposit = aDeposit({ disputed: true });
    answers(() => HttpResponse.json({ success: true, ...done, deposit, wait: aWait }, { status: 201 }));
    histories([deposit]);
    const { user, amount, id, submit } = await openDialog();
    await user.type(amount, '100');
    await user.type(id, 'CKJ8T2WV5C');
    await submit(user);
    await waitFor(() => expect(notices.map(({ text }) => text)).toContain(done.message));
    const remark = 'Someone else has reported the same transaction ID. An admin is checking both.';
    expect(await screen.findAllByText(remark)).not.toHaveLength(0);
  });

  it('repeats a lost report under the same key, also after the dialog was closed, and a new one after a refusal', async () => {
    answers(() => HttpResponse.error(), duplicate, accepted);
    const { user, amount, id, submit } = await openDialog();
    await user.type(amount, '100');
    await user.type(id, 'CKJ8T2WV5C');
    await submit(user);
    await waitFor(() => expect(errors()).toEqual(['Failed to submit deposit, please try again']));
    // The body of a key stays the same, or the server would refuse it as another request.
    act(() => void queryClient.setQueryData(keys.rate, { usdToBdt: 130.2 }));
    await user.keyboard('{Escape}');
    await user.click((await screen.findAllByRole('link', { name: 'Add money' }))[0] ?? document.body);
    await user.click(await screen.findByRole('button', { name: /bKash/ }));
    const again = within(await screen.findByRole('dialog'));
    expect(again.getByLabelText('Amount to add')).toHaveValue('100');
    const send = () => user.click(again.getByRole('button', { name: /^I have sent/ }));
    await send();
    await again.findByText('This transaction ID has already been used.');
    await send();
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[2]?.body).toMatchObject({ convertedAmount: 13_100 });
    expect(sent[2]?.key).not.toBe(sent[1]?.key);
  });

  it('speaks Bangla', async () => {
    await setLanguage('bn');
    renderAt('/deposit?method=Bkash');
    const dialog = within(await screen.findByRole('dialog', { name: 'বিকাশ দিয়ে টাকা যোগ' }));
    expect(await dialog.findByText('১ USD = ৳১২৩')).toBeVisible();
    expect(await dialog.findByText('০১৭১১-৪৮২৩৯০')).toBeVisible();
  });
});
