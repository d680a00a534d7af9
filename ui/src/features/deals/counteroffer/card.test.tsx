import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDetail } from '@/api/contract';
import { setLanguage } from '@/i18n';
import type { Outcome } from '@/i18n/sentences.gen';
import { countered } from '@/testing/counteroffers';
import { ACTIVE, aDetail, closePage, dealChange, held, movesIn, openDeal, serveDeal, tanvir } from '@/testing/deals';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { nusrat, server } from '@/testing/server';
import { type Piece, wordDiff } from './word-diff';

const said = () => notices.map(({ kind, text }) => [kind, text]);
const card = () => within(screen.getByRole('region', { name: /counter-offer/i }));

const rows = () =>
  card()
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

/** Records the answers, and returns the deal afterwards. */
function answered(outcome: Outcome, deal: DealDetail): string[] {
  const calls: string[] = [];
  const answer = ({ request }: { request: Request }) => {
    calls.push(`${request.method} ${new URL(request.url).pathname}`);
    held.deal = deal;
    return dealChange(outcome, deal);
  };
  server.use(
    http.post('*/api/deals/d-1/counteroffers/:id/:answer', answer),
    http.delete('*/api/deals/d-1/counteroffers/:id', answer),
  );
  return calls;
}

/** The deal with the accepted terms. */
const agreed = aDetail({ price: 550, fee: 11, payout: 539, deliveryDuration: 5, terms: 2 });

beforeEach(() => {
  serveDeal();
  held.wallet = 800;
});

describe('the card of a counter-offer', () => {
  it('sets the terms beside each other and marks what differs', async () => {
    const { panel, sentence } = await openDeal(nusrat, countered({ text: 'It takes me\ntwo days more.' }));
    expect(rows()).toEqual([
      ['Price', '$480.00', '$550.00'],
      ['Delivery', '14 days', '5 days'],
      ['Inspection period', '3 days', '3 days'],
    ]);
    expect(
      card()
        .getAllByRole('deletion')
        .map(({ textContent }) => textContent),
    ).toEqual(['$480.00', '14 days']);
    expect(
      card()
        .getAllByRole('insertion')
        .map(({ textContent }) => textContent),
    ).toEqual(['$550.00', '5 days']);
    expect(card().getByText('The description stays the same.')).toBeVisible();
    expect(card().getByText(/It takes me\s+two days more\./)).toBeVisible();
    expect(sentence).toHaveTextContent('tanvir proposes other terms. Nothing is paid yet.');
    expect(movesIn(panel)).toEqual(['Decline the deal']);
  });

  it('tells the seller what they get, and marks the words that changed', async () => {
    await openDeal(tanvir, countered({ madeBy: 'u-nusrat', description: 'Ranna Ghor 24 and its page' }));
    expect(rows()[1]).toEqual(['You get', '$470.40', '$539.00']);
    expect(card().queryByText('The description stays the same.')).toBeNull();
    expect(card().getByText('and its page').tagName).toBe('INS');
  });

  it('is accepted with one press, after which the deal can be paid', async () => {
    const calls = answered('counteroffer_accepted', agreed);
    const { user, panel, sentence } = await openDeal(nusrat, countered());
    expect(panel.queryByRole('button', { name: /Pay/ })).toBeNull();
    await user.dblClick(card().getByRole('button', { name: /Accept \$550\.00/ }));
    await waitFor(() => expect(said()).toEqual([['success', 'Counter-offer accepted']]));
    expect(calls).toEqual(['POST /api/deals/d-1/counteroffers/c-1/accept']);
    expect(screen.queryByRole('region', { name: /counter-offer/i })).toBeNull();
    expect(panel.getByRole('button', { name: /Pay & Activate \$550\.00/ })).toBeEnabled();
    expect(sentence).toHaveTextContent('You and tanvir agreed on $550.00.');
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Your turn' })).toHaveFocus());
  });

  it.each([
    ['declined by the other', nusrat, 'Decline', 'counteroffer_declined', 'POST', '/c-1/decline', 'Counter-offer declined'],
    ['withdrawn', tanvir, 'Withdraw counter-offer', 'counteroffer_withdrawn', 'DELETE', '/c-1', 'Counter-offer withdrawn'],
  ] as const)('is %s', async (_how, user, button, outcome, method, path, toast) => {
    const calls = answered(outcome, aDetail());
    const page = await openDeal(user, countered());
    await page.user.click(card().getByRole('button', { name: new RegExp(button) }));
    await waitFor(() => expect(said()).toEqual([['success', toast]]));
    expect(calls).toEqual([`${method} /api/deals/d-1/counteroffers${path}`]);
    expect(screen.queryByRole('region', { name: /counter-offer/i })).toBeNull();
  });

  it('waits for the other, with the reason why nothing can be paid', async () => {
    const { panel, sentence } = await openDeal(nusrat, countered({ madeBy: 'u-nusrat' }));
    expect(card().getByText('Waiting for tanvir to answer. The deal cannot be paid until then.')).toBeVisible();
    expect(card().queryByRole('button', { name: /Accept/ })).toBeNull();
    expect(panel.getByText('This deal cannot be accepted or paid until tanvir has answered your counter-offer.')).toBeVisible();
    expect(panel.getByRole('heading', { name: 'Waiting for tanvir' })).toBeVisible();
    expect(sentence).toHaveTextContent('You proposed other terms. Waiting for tanvir to answer.');
  });

  it('that another has replaced is not accepted: the page shows the other', async () => {
    const message = 'This counter-offer is not open any more.';
    server.use(
      http.post('*/api/deals/d-1/counteroffers/c-1/accept', () => {
        held.deal = countered({ _id: 'c-2', price: 600, fee: 12, payout: 588 });
        return HttpResponse.json({ code: 'conflict', reason: 'counteroffer_gone', message }, { status: 409 });
      }),
    );
    const { user } = await openDeal(nusrat, countered());
    await user.click(card().getByRole('button', { name: /Accept \$550\.00/ }));
    await waitFor(() => expect(said()).toEqual([['error', message]]));
    expect(await card().findByRole('button', { name: /Accept \$600\.00/ })).toBeVisible();
  });

  it('that a limit of the buyer’s account refuses stays open, with the way to the limits', async () => {
    const message = 'Deals up to $500.00 are possible with your account now.';
    server.use(
      http.post('*/api/deals/d-1/counteroffers/c-1/accept', () =>
        HttpResponse.json({ code: 'conflict', reason: 'limit_per_deal', params: { limit: 500 }, message }, { status: 409 }),
      ),
    );
    const { user } = await openDeal(nusrat, countered());
    await user.click(card().getByRole('button', { name: /Accept \$550\.00/ }));
    expect(await card().findByText(message)).toBeVisible();
    expect(card().getByRole('link', { name: 'See your limits and how to raise them' })).toBeVisible();
    const calls = answered('counteroffer_accepted', agreed);
    await user.click(card().getByRole('button', { name: /Accept \$550\.00/ }));
    await waitFor(() => expect(calls).toEqual(['POST /api/deals/d-1/counteroffers/c-1/accept']));
  });

  it('cannot be accepted while the other’s account is suspended', async () => {
    const { panel } = await openDeal(nusrat, countered({}, { sellerSuspended: true }));
    expect(card().queryByRole('button', { name: /Accept|Propose/ })).toBeNull();
    expect(card().getByRole('button', { name: /Decline/ })).toBeVisible();
    expect(panel.getByRole('button', { name: /Decline/ })).toBeVisible();
  });

  it('is in Bangla where the page is', async () => {
    await openDeal(tanvir, countered({ madeBy: 'u-nusrat' }));
    await act(() => setLanguage('bn'));
    const bangla = within(screen.getByRole('region', { name: 'nusrat-এর পাল্টা প্রস্তাব' }));
    expect(bangla.getByRole('row', { name: 'ডেলিভারি ১৪ দিন ৫ দিন' })).toBeVisible();
    expect(bangla.getByRole('button', { name: /^রাজি/ })).toBeVisible();
  });
});

describe('paying', () => {
  it('says which terms it pays, and reads the deal again where they have changed', async () => {
    const bodies: unknown[] = [];
    const message = 'The terms of this deal have changed. Please read them again.';
    server.use(
      http.post('*/api/deals/pay/d-1', async ({ request }) => {
        bodies.push(await request.json());
        if (bodies.length > 1) return dealChange('deal_activated', (held.deal = aDetail({ ...ACTIVE, terms: 3 })));
        held.deal = { ...agreed, price: 560, terms: 3 };
        return HttpResponse.json({ code: 'conflict', reason: 'terms_changed', message }, { status: 409 });
      }),
    );
    const { user, panel } = await openDeal(nusrat, agreed);
    await user.click(panel.getByRole('button', { name: /Activate \$550/ }));
    await waitFor(() => expect(said()).toEqual([['error', message]]));
    await user.click(await panel.findByRole('button', { name: /Activate \$560/ }));
    await waitFor(() => expect(said()).toContainEqual(['success', 'Deal activated!']));
    expect(bodies).toEqual([{ terms: 2 }, { terms: 3 }]);
  });
});

it('closes a question that was open when other terms came', async () => {
  const { user, panel } = await openDeal(tanvir, aDetail({ acceptedAt: null }));
  await user.click(panel.getByRole('button', { name: 'Accept deal' }));
  await screen.findByRole('alertdialog');
  held.deal = countered({ madeBy: 'u-nusrat' }, { acceptedAt: null });
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(card().getByRole('button', { name: /Accept/ })).toBeVisible();
});

describe('the history', () => {
  const line = (kind: string, actor: 'buyer' | 'seller', over = {}) => ({
    ...{ _id: `e-${kind}`, kind, message: `the server on ${kind}`, at: '2026-11-09T04:00:00Z' },
    ...{ actor: aDetail()[actor], pictures: [], ...over },
  });
  const shown = () => {
    const [, ...lines] = within(screen.getByRole('table', { name: 'What has happened' })).getAllByRole('row');
    return lines.map((row) => [...row.children].slice(1).map(({ textContent }) => textContent));
  };

  it('tells counter-offers in the server’s words, and no sum before one was agreed on', async () => {
    const made = line('line_counteroffer', 'seller', { note: 'It takes longer.' });
    const first = line('line_created', 'seller');
    await openDeal(nusrat, countered({}, { timeline: [first, made] }));
    expect(shown()).toEqual([
      ['tanvir offered the deal', '480.00', '', ''],
      ['the server on line_counterofferIt takes longer.', '480.00', '', ''],
    ]);
    closePage();
    const accepted = line('line_counteroffer_accepted', 'buyer');
    await openDeal(nusrat, { ...agreed, timeline: [first, made, accepted] });
    expect(shown().slice(0, 3)).toEqual([
      ['tanvir offered the deal', '', '', ''],
      ['the server on line_counterofferIt takes longer.', '', '', ''],
      ['the server on line_counteroffer_accepted', '550.00', '', ''],
    ]);
  });
});

/** Marks changed pieces: "[changed]". */
const shown = (pieces: Piece[]) => pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');

const both = (before: string, after: string) => {
  const diff = wordDiff(before, after);
  return [shown(diff.before), shown(diff.after)];
};

describe('two descriptions', () => {
  it.each([
    ['are the same', 'Ten logos', 'Ten logos', ['Ten logos', 'Ten logos']],
    ['differ in a word', 'Ten logos in blue', 'Twelve logos in blue', ['[Ten] logos in blue', '[Twelve] logos in blue']],
    ['differ at the end', 'Ten logos', 'Ten logos and a card', ['Ten logos', 'Ten logos [and a card]']],
    ['differ in words side by side', 'a big red box', 'a small green box', ['a [big red] box', 'a [small green] box']],
    ['lose a line', 'One\nTwo\nThree', 'One\nThree', ['One\n[Two]\nThree', 'One\nThree']],
    ['have nothing in common', 'লোগো', 'ব্যানার', ['[লোগো]', '[ব্যানার]']],
    ['begin with nothing', '', 'Ten logos', ['', '[Ten logos]']],
  ])('that %s', (_what, before, after, expected) => {
    expect(both(before, after)).toEqual(expected);
  });

  it('keep every character, and are compared in time, however long they are', () => {
    const before = Array.from({ length: 2_500 }, (_, index) => String(index % 7)).join(' ');
    const after = Array.from({ length: 2_500 }, (_, index) => String(index % 5)).join(' ');
    const diff = wordDiff(before, after);
    const text = (pieces: Piece[]) => pieces.map((piece) => piece.text).join('');
    expect([text(diff.before), text(diff.after)]).toEqual([before, after]);
    expect(diff.before.filter(({ changed }) => changed)).toHaveLength(1);
  });
});
