import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  aDetail,
  answers,
  COMPLETED,
  closePage,
  DELIVERED,
  held,
  openDeal,
  postponeReview,
  serveDeal,
  tanvir,
} from '@/testing/deals';
import { aReview } from '@/testing/posts';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const said = () => notices.map(({ kind, text }) => [kind, text]);
let bodies: unknown[];
let sentKeys: (string | null)[];

function reviewAnswers(...answer: (() => Response)[]) {
  server.use(
    http.post('*/api/reviews', async ({ request }) => {
      bodies.push(await request.json());
      sentKeys.push(request.headers.get('Idempotency-Key'));
      return (answer.length > 1 ? answer.shift() : answer[0])?.();
    }),
  );
}

function given() {
  held.deal = aDetail({ ...COMPLETED, reviewGiven: true });
  return HttpResponse.json(aReview(), { status: 201 });
}

beforeEach(() => {
  sessionStorage.clear();
  serveDeal();
  bodies = [];
  sentKeys = [];
});

const dialog = async () => within(await screen.findByRole('dialog', { name: 'How was tanvir?' }));

async function openReview() {
  postponeReview();
  const app = await openDeal(nusrat, aDetail(COMPLETED));
  await app.user.click(app.panel.getByRole('button', { name: 'Review tanvir' }));
  return { ...app, form: await dialog() };
}

describe('the review of the seller', () => {
  it('has its place on a completed deal of the buyer, until it is given; then it says so', async () => {
    const { panel } = await openDeal(nusrat, aDetail({ ...COMPLETED, reviewGiven: true }));
    expect(panel.getByText('You have reviewed tanvir.')).toBeVisible();
    expect(panel.queryByRole('button', { name: /Review/ })).toBeNull();
  });

  it('is not offered where a dispute gave most of the money back', async () => {
    const { panel } = await openDeal(nusrat, aDetail({ ...COMPLETED, closeReason: 'settled', refund: 240.01 }));
    expect(panel.getByText('You got most of the money back, so you cannot review tanvir.')).toBeVisible();
    expect(panel.queryByRole('button', { name: /Review/ })).toBeNull();
  });

  it('is offered where a dispute gave half of the money back', async () => {
    postponeReview();
    const { panel } = await openDeal(nusrat, aDetail({ ...COMPLETED, closeReason: 'settled', refund: 240 }));
    expect(panel.getByRole('button', { name: 'Review tanvir' })).toBeVisible();
  });

  it('is not offered for a deal that the seller never agreed to', async () => {
    const { panel } = await openDeal(nusrat, aDetail({ ...COMPLETED, acceptedAt: null }));
    expect(panel.getByText('tanvir never agreed to this deal, so you cannot review it.')).toBeVisible();
    expect(panel.queryByRole('button', { name: /Review/ })).toBeNull();
  });

  it('is not the seller’s to give', async () => {
    const { panel } = await openDeal(tanvir, aDetail(COMPLETED));
    expect(panel.queryByRole('button', { name: /Review/ })).toBeNull();
  });

  it('opens on a completed deal that has none', async () => {
    held.deal = aDetail({ ...COMPLETED, timeline: [] });
    signedInAs(nusrat);
    renderAt('/deal/d-1');
    expect((await dialog()).getByRole('button', { name: 'Later' })).toBeVisible();
  });

  it('opens by itself when the buyer has just released the money, and not again', async () => {
    answers('complete', 'deal_completed', COMPLETED);
    const { user, panel } = await openDeal(nusrat, aDetail(DELIVERED));
    await user.click(panel.getByRole('button', { name: 'Release $480.00' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Release $480.00' }));
    await user.click((await dialog()).getByRole('button', { name: 'Later' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    closePage();
    const again = await openDeal(nusrat, aDetail(COMPLETED));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(again.panel.getByRole('button', { name: 'Review tanvir' })).toBeVisible();
  });

  it('is not sent without stars and words', async () => {
    reviewAnswers(given);
    const { user, form } = await openReview();
    const send = form.getByRole('button', { name: 'Submit review' });
    expect(send).toBeDisabled();
    expect(send).toHaveAccessibleDescription('Choose your stars and write a few words.');
    await user.click(form.getByRole('radio', { name: '4 stars, Good' }));
    await user.type(form.getByLabelText('Your review'), '   ');
    expect(send).toBeDisabled();
    await user.type(form.getByLabelText('Your review'), '{Enter}');
    expect(bodies).toEqual([]);
    expect(said()).toEqual([]);
  });

  it('is chosen with the arrow keys, sent, and then its place says so', async () => {
    reviewAnswers(given);
    const { user, form, panel } = await openReview();
    await user.click(form.getByRole('radio', { name: '5 stars, Very good' }));
    await user.keyboard('{ArrowLeft}');
    expect(form.getByRole('radio', { name: '4 stars, Good' })).toBeChecked();
    await user.type(form.getByLabelText('Your review'), ' Quick and honest. ');
    await user.click(form.getByRole('button', { name: 'Submit review' }));
    await waitFor(() => expect(said()).toEqual([['success', 'Review submitted!']]));
    expect(bodies).toEqual([{ reviewedUser: 'u-tanvir', rating: 4, comment: 'Quick and honest.', dealId: 'd-1' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(panel.getByText('You have reviewed tanvir.')).toBeVisible();
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it.each([
    ['a refusal', () => HttpResponse.json({ message: 'Already.', code: 'duplicate' }, { status: 409 })],
    ['a broken server', () => HttpResponse.json({ message: '', code: 'internal' }, { status: 500 })],
    ['no connection', () => HttpResponse.error()],
  ])('says the same of every failure (%s) and keeps what was written', async (_what, refused) => {
    reviewAnswers(refused);
    const { user, form } = await openReview();
    await user.click(form.getByRole('radio', { name: '1 star, Bad' }));
    await user.type(form.getByLabelText('Your review'), 'Slow.');
    await user.click(form.getByRole('button', { name: 'Submit review' }));
    await waitFor(() => expect(said()).toEqual([['error', 'You already reviewed this seller.']]));
    expect(form.getByLabelText('Your review')).toHaveValue('Slow.');
    expect(form.getByRole('button', { name: 'Submit review' })).toBeEnabled();
  });

  it('keeps its key through a lost answer, and what was written through closing', async () => {
    reviewAnswers(() => HttpResponse.error(), given);
    const { user, form, panel } = await openReview();
    await user.click(form.getByRole('radio', { name: '2 stars, Poor' }));
    await user.type(form.getByLabelText('Your review'), 'Late.');
    await user.click(form.getByRole('button', { name: 'Submit review' }));
    await waitFor(() => expect(said()).toHaveLength(1));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(panel.getByRole('button', { name: 'Review tanvir' })).toHaveFocus());
    await user.keyboard('{Enter}');
    const again = await dialog();
    expect(again.getByRole('radio', { name: '2 stars, Poor' })).toBeChecked();
    expect(again.getByLabelText('Your review')).toHaveValue('Late.');
    await user.click(again.getByRole('button', { name: 'Submit review' }));
    await waitFor(() => expect(said().at(-1)).toEqual(['success', 'Review submitted!']));
    expect(sentKeys[1]).toBe(sentKeys[0]);
  });

  it('is bounded', async () => {
    sessionStorage.setItem('draft:review:u-nusrat:d-1', JSON.stringify({ rating: '3', comment: 'x'.repeat(2_001) }));
    const { form } = await openReview();
    expect(form.getByLabelText('Your review')).toHaveAccessibleDescription('The comment must be at most 2,000 characters.');
    expect(form.getByRole('button', { name: 'Submit review' })).toBeDisabled();
  });
});
