import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDetail } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { countered } from '@/testing/counteroffers';
import { aDetail, closePage, dealChange, held, openDeal, serveDeal, tanvir } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { nusrat, server } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
/** The requests with their keys. */
const sent: { body: unknown; key: string | null }[] = [];

beforeEach(() => {
  serveDeal();
  sent.length = 0;
  server.use(
    http.post('*/api/deals/d-1/counteroffers', async ({ request }) => {
      sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      held.deal = countered({ madeBy: 'u-nusrat' });
      const made = (await dealChange('counteroffer_made', held.deal).json()) as object;
      return HttpResponse.json(made, { status: 201 });
    }),
  );
});

function refuses(status: number, body: object): void {
  const handler = () => HttpResponse.json({ code: 'conflict', message: 'No.', ...body }, { status });
  server.use(http.post('*/api/deals/d-1/counteroffers', handler, { once: true }));
}

async function propose(who: typeof nusrat, deal: DealDetail) {
  const app = await openDeal(who, deal);
  await app.user.click(screen.getByRole('button', { name: 'Propose other terms' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Propose other terms' }));
  return {
    ...app,
    dialog,
    price: dialog.getByLabelText('Price'),
    description: dialog.getByLabelText('Description'),
    days: within(dialog.getByRole('group', { name: /^Deliver within/ })),
    check: within(dialog.getByRole('group', { name: /^Inspection period/ })),
    message: dialog.getByLabelText(/^Message to/),
    send: dialog.getByRole('button', { name: /^Send counter-offer/ }),
  };
}

describe('proposing other terms', () => {
  it('begins with the terms of the deal', async () => {
    const { dialog, price, description, days, check, message } = await propose(nusrat, aDetail());
    expect(price).toHaveValue('480');
    expect(description).toHaveValue('Ranna Ghor 24');
    expect(days.getByRole('radio', { name: '14 days' })).toBeChecked();
    expect(check.getByRole('radio', { name: '3 days' })).toBeChecked();
    expect(message).toHaveValue('');
    expect(dialog.getByText('tanvir gets').closest('div')).toHaveTextContent('$470.40');
  });

  it('begins with the open counter-offer where there is one, and tells the seller what they get', async () => {
    const offer = { madeBy: 'u-nusrat', inspectionDays: 7, description: 'Ranna Ghor 24\nwith its page' };
    const { dialog, price, description, days, check } = await propose(tanvir, countered(offer));
    expect(price).toHaveValue('550');
    expect(description).toHaveValue('Ranna Ghor 24\nwith its page');
    expect(days.getByRole('textbox')).toHaveValue('5');
    expect(check.getByRole('textbox')).toHaveValue('7');
    expect(dialog.getByText('You get').closest('div')).toHaveTextContent('$539.00');
  });

  it('sends all terms and the message, once, and shows the counter-offer', async () => {
    const { user, price, days, message, send } = await propose(nusrat, aDetail());
    fireEvent.change(price, { target: { value: '৪৫০.৫' } });
    await user.click(days.getByRole('radio', { name: '7 days' }));
    await user.type(message, ' I have no more. ');
    await user.dblClick(send);
    await waitFor(() => expect(said()).toEqual([['success', 'Counter-offer sent']]));
    const terms = { price: 450.5, description: 'Ranna Ghor 24', deliveryDuration: 7, inspectionDays: 3 };
    expect(sent).toEqual([{ body: { ...terms, text: 'I have no more.' }, key: expect.stringMatching(/^\w{32}$/) as string }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('region', { name: 'Your counter-offer' })).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Waiting for tanvir' })).toHaveFocus());
    await user.click(screen.getByRole('button', { name: 'Propose other terms' }));
    // What was sent is no draft.
    const again = within(await screen.findByRole('dialog'));
    expect(again.getByLabelText('Price')).toHaveValue('550');
    expect(again.getByLabelText(/^Message to/)).toHaveValue('');
  });

  it('has the rules of a new deal', async () => {
    const { user, dialog, price, description, days, check, message, send } = await propose(nusrat, aDetail());
    const breaks = async (text: string) => {
      await user.click(send);
      expect(await dialog.findByText(text)).toBeVisible();
    };
    fireEvent.change(price, { target: { value: '0' } });
    await breaks('All fields are required.');
    expect(price).toHaveFocus();
    fireEvent.change(price, { target: { value: '1000000.01' } });
    await breaks('The price must be between $0.01 and $1,000,000.00.');
    fireEvent.change(price, { target: { value: '450' } });
    await user.clear(description);
    await breaks('All fields are required.');
    fireEvent.change(description, { target: { value: 'Logo' } });
    await user.click(days.getByRole('radio', { name: 'Other' }));
    await breaks('Please Choose Delivery Duration');
    await user.type(days.getByRole('textbox'), '9');
    await user.click(check.getByRole('radio', { name: 'Other' }));
    await user.type(check.getByRole('textbox'), '31');
    await breaks('The inspection period must be 1 to 30 days.');
    await user.click(check.getByRole('radio', { name: '10 days' }));
    fireEvent.change(message, { target: { value: 'a'.repeat(2_001) } });
    await breaks('The message must be at most 2,000 characters.');
    expect(dialog.getByText('2,001/2,000')).toBeVisible();
    expect(sent).toEqual([]);
  });

  it('shows what the server refuses at its field, with everything still in the form', async () => {
    const text = 'Change the price, the time or the description.';
    refuses(400, { code: 'invalid', reason: 'counteroffer_same', message: text, fields: { price: text } });
    const { user, dialog, price, message, send } = await propose(nusrat, aDetail());
    await user.type(message, 'Please.');
    await user.click(send);
    expect(await dialog.findByText(text)).toBeVisible();
    expect(price).toHaveFocus();
    expect(message).toHaveValue('Please.');
  });

  it('shows a limit of the account in its place', async () => {
    const message = 'Deals up to $200.00 are possible with your account now.';
    refuses(409, { reason: 'limit_per_deal', params: { limit: 200 }, message });
    const { user, dialog, price, send } = await propose(nusrat, aDetail());
    fireEvent.change(price, { target: { value: '900' } });
    await user.click(send);
    expect(await dialog.findByText(message)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Not yet' }));
    await user.click(screen.getByRole('button', { name: 'Propose other terms' }));
    const again = within(await screen.findByRole('dialog'));
    expect(again.queryByText(message)).toBeNull();
    expect(again.getByLabelText('Price')).toHaveValue('900');
  });

  it('ends where the deal was paid meanwhile, and keeps what was typed for the tab', async () => {
    const message = 'This deal has had thirty counter-offers. Withdraw it and make a new one.';
    refuses(409, { reason: 'counteroffers_over_limit', message });
    const { user, message: field, send } = await propose(nusrat, aDetail());
    await user.type(field, 'Please.');
    await user.click(send);
    await waitFor(() => expect(said()).toEqual([['error', message]]));
    expect(field).toHaveValue('Please.');
    held.deal = aDetail({ status: 'Active', activatedAt: '2026-11-08T04:14:00Z' });
    refuses(409, { reason: 'deal_status' });
    await user.click(send);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('button', { name: 'Propose other terms' })).toBeNull();
    closePage();
    expect((await propose(nusrat, aDetail())).message).toHaveValue('Please.');
  });

  it('says that the other has proposed terms meanwhile, and lays what was typed over them', async () => {
    const { user, dialog, message } = await propose(nusrat, aDetail());
    await user.type(message, 'Please.');
    held.deal = countered();
    await act(() => queryClient.invalidateQueries());
    expect(await dialog.findByText(/^tanvir has just proposed other terms\./)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Not yet' }));
    await user.click(screen.getByRole('button', { name: 'Propose other terms' }));
    const again = within(await screen.findByRole('dialog'));
    expect(again.getByLabelText('Price')).toHaveValue('550');
    expect(again.getByLabelText(/^Message to/)).toHaveValue('Please.');
    expect(again.queryByText(/has just proposed/)).toBeNull();
  });

  it('is in Bangla where the page is', async () => {
    const { user, price, send } = await propose(nusrat, aDetail());
    await act(() => setLanguage('bn'));
    fireEvent.change(price, { target: { value: '' } });
    await user.click(send);
    const dialog = within(screen.getByRole('dialog', { name: 'পাল্টা প্রস্তাব দিন' }));
    expect(await dialog.findByText('সব ঘর পূরণ করুন।')).toBeVisible();
    expect(dialog.getByText(/^tanvir রাজি হলে তখন থেকে গোনা হবে।/)).toBeVisible();
  });
});
