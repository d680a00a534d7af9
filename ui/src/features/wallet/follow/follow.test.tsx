import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { doneAs } from '@/testing/outcomes';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { automaticBkash, nusrat, server, signedInAs } from '@/testing/server';
import { aDeposit, anOperation, histories } from '../fixtures';

const PATH = '/balance/deposits/dep-1';
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const said = () => notices.map(({ kind, text }) => [kind, text]);

beforeEach(() => signedInAs(nusrat));

describe('the page of a deposit', () => {
  it('says what is checked and how long that takes, and looks again every 15 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const { deposits } = histories([aDeposit()]);
    renderAt(PATH);
    await heading('We’re checking ৳12,300');
    const status = within(screen.getByRole('region', { name: 'Status' }));
    expect(status.getByText('Being checked').closest('li')).toHaveAttribute('aria-current', 'step');
    expect(status.getByText('Usually within 30 minutes')).toBeVisible();
    expect(screen.queryByRole('link', { name: /receipt/i })).toBeNull();
    deposits[0] = aDeposit({ status: 'completed', handledAt: '2026-11-19T05:10:00Z' });
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    await heading('$100.00 is in your balance');
    expect(status.getByText('Credited').closest('li')).toHaveTextContent('19 Nov, 11:10');
    expect(screen.getByRole('link', { name: /receipt/i })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Withdraw this report' })).toBeNull();
  });

  it.each([
    ['the SMS', 'Waiting for the SMS of bKash…', {}],
    ['an admin after two minutes', 'Usually within 30 minutes', { createdAt: new Date(Date.now() - 121_000).toISOString() }],
    ['an admin who checks both claims', 'Usually within 30 minutes', { disputed: true }],
    ['an admin where no phone forwards SMS', 'Usually within 30 minutes', { paymentMethod: 'Nagad' as const }],
  ])('says that it waits for %s', async (_for, text, over) => {
    automaticBkash();
    histories([aDeposit({ createdAt: new Date().toISOString(), ...over })]);
    renderAt(PATH);
    await heading('We’re checking ৳12,300');
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.getByText(text)).toBeVisible();
  });

  it('says that another amount was credited, and why', async () => {
    histories([aDeposit({ status: 'completed', amount: 77, reason: 'bKash shows ৳9,471.', handledAt: '2026-11-19T05:10:00Z' })]);
    renderAt(PATH);
    await heading('$77.00 is in your balance');
    expect(screen.getByText('$77.00 credited instead of $100.00.')).toBeVisible();
    expect(screen.getByText('The admin wrote: bKash shows ৳9,471.')).toBeVisible();
  });

  it.each([
    ['not_found', 'We found no payment with this transaction ID.', '/deposit?method=Bkash&amount=100'],
    ['other_amount', 'The payment with this transaction ID has another amount.', '/deposit?method=Bkash&trx=CKJ8T2WV5C'],
    ['used_before', 'This payment has been credited before.', null],
    ['other_number', 'The payment went to another number than ours.', null],
    ['expired', 'We could not check it in time.', '/deposit?method=Bkash&amount=100&trx=CKJ8T2WV5C'],
    ['other', 'An admin could not credit it.', null],
  ] as const)('says why it was not credited, and what helps: %s', async (reasonCode, why, again) => {
    const reason = 'As the provider told us.';
    histories([aDeposit({ status: 'Failed', reasonCode, reason, handledAt: '2026-11-19T05:10:00Z' })]);
    renderAt(PATH);
    await heading('This deposit was not credited');
    const help = within(screen.getByRole('region', { name: 'Why, and what you can do' }));
    expect(help.getByText(why)).toBeVisible();
    expect(help.getByText(`The admin wrote: ${reason}`)).toBeVisible();
    expect(help.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', '/contactus');
    const link = help.queryByRole('link', { name: 'Report it again' });
    expect(link?.getAttribute('href') ?? null).toBe(again);
  });

  it('is that of somebody else, or of nobody', async () => {
    histories([]);
    renderAt(PATH);
    expect(await heading('There is no such deposit')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to your balance' })).toHaveAttribute('href', '/balance');
  });

  it('speaks Bangla', async () => {
    histories([aDeposit()]);
    await setLanguage('bn');
    renderAt(PATH);
    await heading('আমরা ৳১২,৩০০ যাচাই করছি');
    expect(screen.getByText('সাধারণত ৩০ মিনিটের মধ্যে')).toBeVisible();
  });
});

describe('a report by mistake', () => {
  const retracted = () => aDeposit({ status: 'Failed', reasonCode: 'retracted', handledAt: '2026-11-19T05:10:00Z' });

  it('is withdrawn after a question', async () => {
    const { deposits } = histories([aDeposit()]);
    const calls: string[] = [];
    server.use(
      http.post('*/api/deposits/:id/retract', ({ params }) => {
        calls.push(String(params.id));
        deposits[0] = retracted();
        return HttpResponse.json({ ...doneAs('deposit_retracted'), deposit: retracted() });
      }),
    );
    const { user } = renderAt(PATH);
    await user.click(await screen.findByRole('button', { name: 'Withdraw this report' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Withdraw this report?' }));
    await user.click(question.getByRole('button', { name: 'Keep it' }));
    expect(calls).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Withdraw this report' }));
    await user.click(await screen.findByRole('button', { name: 'Withdraw it' }));
    await heading('You withdrew this report');
    expect(calls).toEqual(['dep-1']);
    expect(said()).toEqual([['success', doneAs('deposit_retracted').message]]);
    expect(screen.getByRole('link', { name: 'Report it again' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Contact support' })).toBeNull();
  });

  it('stays when an admin was faster, and the page shows what became of it', async () => {
    const { deposits } = histories([aDeposit()]);
    const message = 'This deposit has been handled already.';
    server.use(
      http.post('*/api/deposits/:id/retract', () => {
        deposits[0] = aDeposit({ status: 'completed', handledAt: '2026-11-19T05:10:00Z' });
        return HttpResponse.json({ code: 'conflict', message }, { status: 409 });
      }),
    );
    const { user } = renderAt(PATH);
    await user.click(await screen.findByRole('button', { name: 'Withdraw this report' }));
    await user.click(await screen.findByRole('button', { name: 'Withdraw it' }));
    await heading('$100.00 is in your balance');
    expect(said()).toEqual([['error', message]]);
  });

  it('cannot be withdrawn while it is being credited', async () => {
    histories([aDeposit({ operation: { ...anOperation, kind: 'deposit_approve', subject: 'deposit:dep-1' } })]);
    renderAt(PATH);
    await heading('We’re checking ৳12,300');
    expect(screen.getByText('It is being added to your balance.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Withdraw this report' })).toBeNull();
  });
});

describe('the receipt of a deposit', () => {
  const ID = '0198c0de-0000-7000-8000-00ab12cd34ef';
  const RECEIPT = `/balance/deposits/${ID}/receipt`;

  it('has what was sent in taka and credited in dollars', async () => {
    histories([aDeposit({ _id: ID, status: 'completed', handledAt: '2026-11-19T05:10:00Z' })]);
    renderAt(RECEIPT);
    expect(await screen.findByText('P-00AB-12CD-34EF')).toBeVisible();
    const page = screen.getByRole('main');
    for (const text of [
      'MethodbKash',
      'ReferenceCKJ8T2WV5C',
      'ReceiptCredited$100.00Receipt number',
      'Sent৳12,300, at ৳123 a dollar that day',
      'Amanat Ltd12 Lake Road, Dhaka',
    ])
      expect(page).toHaveTextContent(text);
    expect(page).toHaveTextContent('Reported on19 November 2026, 10:54');
    expect(page).toHaveTextContent('Credited on19 November 2026, 11:10');
    expect(screen.getByRole('button', { name: 'Print or save as PDF' })).toBeVisible();
  });

  it('is there once the deposit is credited', async () => {
    histories([aDeposit({ _id: ID })]);
    renderAt(RECEIPT);
    expect(await screen.findByText('A deposit has a receipt once it has been credited.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Print or save as PDF' })).toBeNull();
  });
});
