import { act, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDetail, TimelineEntry } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { ACTIVE, aDetail, closePage, DELIVERED, openDeal, postponeReview, REQUESTED, serveDeal, tanvir } from '@/testing/deals';
import { aDeal, nusrat } from '@/testing/server';

type Who = 'buyer' | 'seller' | null;

function line(kind: string, who: Who): TimelineEntry {
  const { buyer, seller } = aDeal();
  const actor = who === null ? null : { buyer, seller }[who];
  return { _id: `e-${kind}`, kind, message: `the server on ${kind}`, at: '2026-11-09T04:00:00Z', actor, pictures: [] };
}

const PAID = [line('line_created', 'seller'), line('line_paid', 'buyer')];
const CLOSED = { status: 'Cancelled', activatedAt: ACTIVE.activatedAt, closedAt: '2026-11-24T04:00:00Z' } as const;

/** The columns of each line: event, buyer, Amanat, seller. */
function shownLines() {
  const [, ...rows] = within(screen.getByRole('table', { name: /What has happened|যা যা হয়েছে/ })).getAllByRole('row');
  return rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .slice(1)
      .map((cell) => cell.textContent),
  );
}

async function linesOf(user: typeof nusrat, over: Partial<DealDetail>) {
  await openDeal(user, aDetail(over));
  return shownLines();
}

beforeEach(serveDeal);

describe('the ledger of a deal', () => {
  it('shows what support has answered', async () => {
    const answered = { ...line('line_support_done', null), note: 'Please send the photos again.' };
    const lines = await linesOf(nusrat, { ...ACTIVE, timeline: [...PAID, answered] });
    expect(lines[2]?.[0]).toBe('Support closed a requestPlease send the photos again.');
  });

  it('shows what was said and pictured with a delivery, one picture after the other', async () => {
    const pictures = ['i-1', 'i-2'].map((_id) => ({ _id, url: `/api/images/${_id}`, width: 1600, height: 1200 }));
    const delivered = { ...line('line_delivered', 'seller'), note: 'It is all in your inbox.', pictures };
    const { user } = await openDeal(nusrat, aDetail({ ...DELIVERED, timeline: [...PAID, delivered] }));
    const words = within(screen.getByRole('region', { name: 'tanvir delivered' }));
    expect(words.getByText('It is all in your inbox.')).toBeVisible();
    await user.click(words.getByRole('button', { name: 'Picture 1 of 2 from tanvir' }));
    const viewer = within(await screen.findByRole('dialog', { name: 'Picture 1 of 2 from tanvir' }));
    await user.keyboard('{ArrowRight}');
    expect(viewer.getByRole('img', { name: 'Picture 2 of 2 from tanvir' })).toHaveAttribute('src', '/api/images/i-2');
    closePage();
    await openDeal(tanvir, aDetail({ ...DELIVERED, timeline: [...PAID, delivered] }));
    const own = within(screen.getByRole('region', { name: 'You delivered' }));
    expect(own.getByRole('img', { name: 'Your picture 2 of 2' })).toHaveAttribute('src', '/api/images/i-2?w=320');
  });

  it('tells to both sides what happens while Amanat holds the money', async () => {
    const told: [kind: string, who: Who, toBuyer: string, toSeller: string][] = [
      ['line_joined', 'buyer', 'You joined the deal by its link', 'nusrat joined the deal by its link'],
      ['line_proof_on', 'buyer', 'You switched on the public proof', 'nusrat switched on the public proof'],
      ['line_proof_off', 'buyer', 'You switched off the public proof', 'nusrat switched off the public proof'],
      ['line_cancel_asked', 'buyer', 'You asked to cancel', 'nusrat asked to cancel'],
      ['line_cancel_declined', 'seller', 'tanvir declined the cancellation', 'You declined the cancellation'],
      ['line_reset', 'buyer', 'You requested changesDelivery not accepted', 'nusrat requested changesDelivery not accepted'],
      ['line_late', null, 'The deal is late', 'The deal is late'],
      ['line_escalated', null, 'The deal went to an admin', 'The deal went to an admin'],
      ['line_support', 'seller', 'tanvir asked for support', 'You asked for support'],
      ['line_support_closed', null, 'Support closed the requestDeadlines resumed', 'Support closed the requestDeadlines resumed'],
      ['line_support_asked', 'seller', 'tanvir asked for support', 'You asked for support'],
      ['line_support_done', null, 'Support closed a request', 'Support closed a request'],
    ];
    const over = { ...ACTIVE, timeline: [...PAID, ...told.map(([kind, who]) => line(kind, who))] };
    const seen = (texts: string[]) => texts.map((text) => [text, '', '480.00', '']);
    expect((await linesOf(nusrat, over)).slice(2, 2 + told.length)).toEqual(seen(told.map(([, , toBuyer]) => toBuyer)));
    closePage();
    expect((await linesOf(tanvir, over)).slice(2, 2 + told.length)).toEqual(seen(told.map(([, , , toSeller]) => toSeller)));
  });

  it.each<[number, string, [kind: string, who: Who, text: string][]]>([
    [
      470.4,
      'fee 9.60',
      [
        ['line_cancel_accepted', 'seller', 'tanvir accepted the cancellationPrice less the 2% fee'],
        ['line_unanswered', null, 'No response to the cancellation requestPrice less the 2% fee'],
      ],
    ],
    [
      480,
      '',
      [
        ['line_unanswered', null, 'No response to the cancellation requestFull price, no fee'],
        ['line_seller_cancelled', 'seller', 'tanvir cancelled the dealFull price, no fee'],
        ['line_buyer_left', 'buyer', 'You cancelled the late dealFull price, no fee'],
        ['line_overdue', null, 'Not delivered, deal endedFull price, no fee'],
        ['line_admin_cancelled', null, 'Amanat cancelled the dealFull price, no fee'],
      ],
    ],
  ])('shows with each end what came back: %d', async (refund, fee, ends) => {
    const timeline = [...PAID, ...ends.map(([kind, who]) => line(kind, who))];
    const lines = await linesOf(nusrat, { ...CLOSED, refund, timeline });
    expect(lines.slice(1)).toEqual([
      ['You paid Amanat', '', '480.00', ''],
      ...ends.map(([, , text]) => [text, refund.toFixed(2), fee, '']),
    ]);
  });

  it('shows with each end what the seller got', async () => {
    postponeReview();
    const timeline = [...PAID, line('line_clock_completed', null), line('line_admin_completed', null)];
    const lines = await linesOf(nusrat, { ...CLOSED, status: 'Completed', timeline });
    expect(lines.slice(2)).toEqual([
      ['The inspection period endedPrice less the 2% fee', '', 'fee 9.60', '470.40'],
      ['Amanat released the moneyPrice less the 2% fee', '', 'fee 9.60', '470.40'],
    ]);
  });

  it('leaves the money where it is when support is asked before anything is paid', async () => {
    const lines = await linesOf(nusrat, { timeline: [line('line_created', 'seller'), line('line_support', 'buyer')] });
    expect(lines[1]).toEqual(['You asked for support', '480.00', '', '']);
  });

  it('tells in the server’s words what it does not know, and whom', async () => {
    const stranger = {
      ...line('line_delivered', 'seller'),
      actor: { _id: 'u-x', username: 'x', profilePic: '', isStaff: false },
    };
    const lines = await linesOf(nusrat, { ...ACTIVE, timeline: [...PAID, line('line_newer', null), stranger] });
    expect(lines[2]).toEqual(['the server on line_newer', '', '', '']);
    expect(lines[3]).toEqual(['the server on line_delivered', '', '', '']);
  });

  it('stitches what is still to come', async () => {
    const delivered = { ...DELIVERED, nextAction: 'complete', nextActionAt: '2126-11-19T09:52:00Z' } as const;
    expect((await linesOf(nusrat, delivered)).at(-1)).toEqual([
      'You release the moneyAutomatically on 19 Nov 2126, 15:52',
      '',
      '',
      '470.40',
    ]);
    closePage();
    expect((await linesOf(tanvir, REQUESTED)).at(-1)).toEqual([
      'You accept or decline the cancellationIf it is accepted, the price less the 2% fee is refunded. Automatically on 12 Nov 2126, 10:02',
      '470.40',
      '',
      '',
    ]);
    closePage();
    expect((await linesOf(tanvir, { ...ACTIVE, escalated: true })).at(-1)).toEqual(['An admin decides', '', '480.00', '']);
  });

  it('is kept in Bangla, too', async () => {
    await openDeal(nusrat, aDetail({ ...ACTIVE, timeline: [...PAID, line('line_reset', 'buyer')] }));
    await act(() => setLanguage('bn'));
    expect(shownLines()[2]).toEqual(['আপনি সংশোধন চেয়েছেনডেলিভারি গৃহীত হয়নি', '', '৪৮০.০০', '']);
  });
});
