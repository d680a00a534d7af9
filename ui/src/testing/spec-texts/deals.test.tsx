import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import type { DealDetail, User } from '@/api/contract';
import type { Outcome } from '@/i18n/sentences.gen';
import {
  ACTIVE,
  aDetail,
  COMPLETED,
  DELIVERED,
  dealChange,
  held,
  openDeal,
  postponeReview,
  REQUESTED,
  serveDeal,
  tanvir,
} from '../deals';
import { doneAs } from '../outcomes';
import { aReview } from '../posts';
import { renderAt } from '../render';
import { nusrat, signedInAs } from '../server';
import { type Answer, broken, done, enter, failures, refused, says, specTexts, type Trigger, WORD } from './harness';

type Question = 'alertdialog' | 'dialog';

/** Presses a button of the deal, and the same one in its dialog. */
async function answerYes(who: User, over: Partial<DealDetail>, name: RegExp, role: Question = 'alertdialog'): Promise<void> {
  const { user, panel } = await openDeal(who, aDetail(over));
  await user.click(panel.getByRole('button', { name }));
  await user.click(within(await screen.findByRole(role)).getByRole('button', { name }));
}

/** Chooses under "Report a problem" and confirms it. */
async function complain(who: User, over: Partial<DealDetail>, name: RegExp): Promise<void> {
  const { user, panel } = await openDeal(who, aDetail(over));
  await user.click(panel.getByRole('button', { name: 'Report a problem' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));
}

const move = (when: string, call: Trigger['call'], act: Trigger['act']): Trigger => ({ when, call, act, given: serveDeal });
const post = (path: string): Trigger['call'] => `POST /deals/${path}/d-1`;

const pay = move('the buyer pays', post('pay'), async () => {
  const { user, panel } = await openDeal(nusrat, aDetail());
  await user.click(panel.getByRole('button', { name: /Accept & Pay/ }));
});
const decline = move('the buyer declines', 'DELETE /deals/d-1', () => answerYes(nusrat, {}, /^Decline$/));
const complete = move('the buyer releases the money', post('complete'), () => answerYes(nusrat, DELIVERED, /Release/));
const request = move('the buyer asks to cancel', post('cancel'), () => complain(nusrat, ACTIVE, /Request cancellation/));
const giveUp = move('the seller cancels', post('cancel'), () => complain(tanvir, ACTIVE, /Cancel the deal/));
const accept = move('the seller accepts the cancellation', post('accept-cancellation'), () =>
  answerYes(tanvir, REQUESTED, /Accept cancellation/),
);
const refuse = move('the seller declines the cancellation', post('decline-cancellation'), () =>
  answerYes(tanvir, REQUESTED, /^Decline$/),
);
const deliver = move('the seller delivers', post('deliver'), () => answerYes(tanvir, ACTIVE, /Mark as delivered/, 'dialog'));
const reset = move('the buyer asks for changes', post('reset-delivery'), async () => {
  const { user, panel } = await openDeal(nusrat, aDetail(DELIVERED));
  await user.click(panel.getByRole('button', { name: 'Request changes' }));
  await screen.findByRole('dialog', { name: 'Ask tanvir for changes?' });
  enter('What should be changed?', 'The logo is missing.');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Request changes' }));
});

/** Changes the deal and answers with this outcome. */
const changed = (outcome: Outcome, over: Partial<DealDetail>): Answer =>
  done(() => {
    held.deal = aDetail(over);
    return dealChange(outcome, held.deal);
  });
const ENDED = { status: 'Cancelled', activatedAt: ACTIVE.activatedAt, closedAt: '2026-11-24T04:00:00Z', refund: 470.4 } as const;
const REQUEST_SENT = changed('cancellation_requested', REQUESTED);
const REFUNDED = changed('deal_refunded_less_fee', ENDED);
const GOES_ON = changed('cancellation_declined', { ...ACTIVE, cancellationDeclined: true });
const TOO_LITTLE = says('Insufficient balance: $467.60 missing', 409, 'insufficient_balance');

specTexts('what is done with a deal', [
  { text: 'Deal activated!', trigger: pay, server: changed('deal_activated', ACTIVE), as: 'success' },
  { text: 'Deal declined and removed', trigger: decline, server: done(() => doneAs('deal_removed')), as: 'success' },
  { text: 'Deal marked as completed', trigger: complete, server: changed('deal_completed', COMPLETED), as: 'success' },
  { text: 'Cancellation request sent', trigger: request, server: REQUEST_SENT, as: 'success' },
  { text: 'Deal cancelled and buyer refunded (2% fee taken)', trigger: accept, server: REFUNDED, as: 'success' },
  { text: 'You have declined the cancellation request', trigger: refuse, server: GOES_ON, as: 'success' },
  { text: 'Seller has delivered the deal', trigger: deliver, server: changed('deal_delivered', DELIVERED), as: 'success' },
]);

specTexts('what fails with a deal', [
  ...failures({ text: 'Failed to activate deal', trigger: pay }),
  ...failures({ text: 'Failed to decline deal', trigger: decline }),
  ...failures({ text: 'Failed to complete deal', trigger: complete }),
  ...failures({ text: 'Failed to cancel deal', trigger: request }),
  ...failures({ text: 'Failed to cancel deal', trigger: giveUp }),
  ...failures({ text: 'Failed to cancel the deal', trigger: accept }),
  ...failures({ text: 'Failed to decline request', trigger: refuse }),
  ...failures({ text: 'Failed to deliver the deal', trigger: deliver }),
  ...failures({ text: 'Failed to process deal action', trigger: reset }),
  { text: 'Insufficient balance', trigger: pay, server: TOO_LITTLE, as: 'error' },
]);

const open: Trigger = {
  when: 'a party opens a deal, which leads to the list',
  call: 'GET /deals/d-1',
  given: () => {
    serveDeal();
    signedInAs(nusrat);
  },
  act: async () => {
    const { router } = renderAt('/deal/d-1');
    await waitFor(() => expect(router.state.location.pathname).toBe('/deal'));
  },
};
const copyId: Trigger = {
  when: 'a party copies the id of a deal',
  call: 'GET /deals/d-1',
  given: open.given,
  act: async () => {
    const { user } = await openDeal(nusrat, aDetail());
    await user.click(screen.getByRole('button', { name: /Copy deal id/ }));
  },
};
const review: Trigger = {
  when: 'the buyer reviews the seller',
  call: 'POST /reviews',
  given: serveDeal,
  act: async () => {
    postponeReview();
    const { user, panel } = await openDeal(nusrat, aDetail(COMPLETED));
    await user.click(panel.getByRole('button', { name: 'Review tanvir' }));
    await user.click(await screen.findByRole('radio', { name: '4 stars, Good' }));
    enter('Your review', 'Quick and honest.');
    await user.click(screen.getByRole('button', { name: 'Submit review' }));
  },
};
const support: Trigger = {
  when: 'a party asks for support',
  call: 'POST /deals/support',
  given: () => {
    open.given?.();
    held.deal = aDetail(ACTIVE);
  },
  act: async () => {
    const { user } = renderAt('/support?dealId=d-1');
    const submit = await screen.findByRole('button', { name: 'Submit request' });
    enter('Issue description', 'Nothing came.');
    await user.click(submit);
  },
};

// A review has one text for all failures.
specTexts('around a deal', [
  { text: 'Failed to fetch deal', trigger: open, server: broken, as: 'error' },
  { text: 'Failed to fetch deal', trigger: open, server: says(WORD, 404, 'not_found'), as: 'error', more: WORD },
  { own: 'Deal ID copied', trigger: copyId, server: done(() => held.deal), as: 'success' },
  { text: 'Review submitted!', trigger: review, server: done(() => aReview(), 201), as: 'success' },
  { text: 'You already reviewed this seller.', trigger: review, server: broken, as: 'error' },
  { text: 'You already reviewed this seller.', trigger: review, server: refused, as: 'error' },
  ...failures({ text: 'Failed to submit support request.', trigger: support }),
]);
