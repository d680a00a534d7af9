import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealProof, HeldMoney } from '@/api/contract';
import { keys } from '@/entities/keys';
import { ACTIVE, aDetail, COMPLETED, closePage, openDeal, postponeReview, serveDeal, tanvir, unfold } from '@/testing/deals';
import { CODE } from '@/testing/invites';
import { answered, queryClient } from '@/testing/query-client';
import { renderAt } from '@/testing/render';
import { nusrat, server } from '@/testing/server';

const OFF: DealProof = { shown: false, code: null, changedBy: null, changedAt: null };
const ON: DealProof = {
  shown: true,
  code: CODE,
  changedBy: { _id: nusrat._id, username: 'nusrat', profilePic: '', isStaff: false },
  changedAt: '2026-11-10T04:02:00Z',
};

let proof: DealProof;

describe('the switch on a deal’s page', () => {
  beforeEach(() => {
    serveDeal();
    proof = OFF;
    server.use(
      http.get('*/api/deals/:id/proof', () => HttpResponse.json(proof)),
      http.put('*/api/deals/:id/proof', async ({ request }) => {
        proof = ((await request.json()) as { shown: boolean }).shown ? ON : { ...ON, shown: false, code: null };
        return HttpResponse.json(proof);
      }),
    );
  });

  it('switches the page on and off, and says who did', async () => {
    const app = await openDeal(nusrat, aDetail(ACTIVE));
    const { user } = app;
    const card = await unfold(app, 'Public proof');
    expect(card.getByText(/proves Amanat holds \$480.00/)).toBeVisible();
    expect(card.queryByRole('link')).toBeNull();
    await user.click(card.getByRole('button', { name: 'Switch on' }));
    expect(await card.findByRole('link', { name: 'Open the page' })).toHaveAttribute('href', `/held/${CODE}`);
    expect(card.getByText('You switched it on 10 Nov, 10:02')).toBeVisible();
    await user.click(card.getByRole('button', { name: 'Switch off' }));
    expect(await card.findByText('You switched it off 10 Nov, 10:02')).toBeVisible();
  });

  it('is not there on a closed deal that has no page, nor before the payment', async () => {
    postponeReview();
    await openDeal(tanvir, aDetail(COMPLETED));
    await answered(keys.dealProof('d-1'));
    expect(screen.queryByRole('heading', { name: 'Public proof' })).toBeNull();
    closePage();
    // Its code is loaded by now, so a mounted card would fetch.
    await openDeal(tanvir, aDetail());
    expect(queryClient.getQueryState(keys.dealProof('d-1'))).toBeUndefined();
  });

  it('stays on a closed deal while its page is shown', async () => {
    postponeReview();
    proof = ON;
    const card = await unfold(await openDeal(tanvir, aDetail(COMPLETED)), 'Public proof');
    expect(card.getByText(/Anyone with the link sees how this deal ended/)).toBeVisible();
    expect(card.getByText('nusrat switched it on 10 Nov, 10:02')).toBeVisible();
  });
});

describe('the public page', () => {
  let held: HeldMoney;
  beforeEach(() => {
    held = { amount: 200, status: 'Active', since: '2026-11-08T04:02:00Z', closedAt: null, at: '2026-11-10T04:02:00Z' };
    server.use(http.get(`*/api/held/${CODE}`, () => HttpResponse.json(held)));
  });

  it('says to anybody what is held, since when, and where to look', async () => {
    renderAt(`/held/${CODE}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Held by Amanat' })).toBeVisible();
    expect(screen.getByText('$200.00')).toBeVisible();
    expect(screen.getByText('8 Nov, 10:02')).toBeVisible();
    expect(screen.getByText('Live, checked 10:02')).toBeVisible();
    expect(screen.getByText(`${window.location.origin}/held/${CODE}`)).toBeVisible();
  });

  it('says when it is not held any more, and when it could not be checked', async () => {
    renderAt(`/held/${CODE}`);
    await screen.findByRole('heading', { level: 1, name: 'Held by Amanat' });
    held = { ...held, status: 'Completed', closedAt: '2026-11-10T05:00:00Z' };
    await queryClient.invalidateQueries({ queryKey: ['held', CODE] });
    expect(await screen.findByRole('heading', { level: 1, name: 'No longer held' })).toBeVisible();
    server.use(http.get(`*/api/held/${CODE}`, () => HttpResponse.json({ code: 'rate_limited', message: '' }, { status: 429 })));
    await queryClient.invalidateQueries({ queryKey: ['held', CODE] });
    expect(await screen.findByText('Not up to date: last checked 10:02')).toBeVisible();
  });

  it('says when it was switched off', async () => {
    const gone = () => HttpResponse.json({ code: 'not_found', reason: 'proof_not_found', message: '' }, { status: 404 });
    renderAt(`/held/${CODE}`);
    await screen.findByRole('heading', { level: 1, name: 'Held by Amanat' });
    server.use(http.get(`*/api/held/${CODE}`, gone));
    await queryClient.invalidateQueries({ queryKey: ['held', CODE] });
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('There is no proof here'));
  });
});
