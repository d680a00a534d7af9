import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDetail, DealProof, User } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { ACTIVE, aDetail, COMPLETED, tanvir } from '@/testing/deals';
import { CODE } from '@/testing/invites';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const ID = '0198c0de-0000-7000-8000-00ab12cd34ef';
const PROOF: DealProof = { shown: false, code: null, changedBy: null, changedAt: null };

let proof: DealProof;
beforeEach(() => {
  proof = PROOF;
});

function open(user: User, over: Partial<DealDetail>) {
  signedInAs(user);
  server.use(
    http.get('*/api/deals/:id/proof', () => HttpResponse.json(proof)),
    http.get('*/api/deals/:id', () => HttpResponse.json(aDetail({ ...over, _id: ID }))),
  );
  return renderAt(`/deal/${ID}/receipt`);
}

const says = async (...texts: (string | RegExp)[]) => {
  await screen.findByText('D-00AB-12CD-34EF');
  for (const text of texts) expect(screen.getByRole('main')).toHaveTextContent(text);
};
const printing = () => screen.queryByRole('button', { name: 'Print or save as PDF' });

describe('the receipt of a deal', () => {
  it.each([nusrat, tanvir])('has price and parties for each of the two: $username', async (user) => {
    open(user, ACTIVE);
    await says('Buyernusrat', 'Sellertanvir', 'Price$480.00', /Paid on\d+ November 2026, \d\d:\d\d/);
    expect(screen.getByRole('main')).not.toHaveTextContent('Closed on');
    expect(screen.getByRole('link', { name: new RegExp(`/deal/${ID}$`) })).toBeVisible();
    expect(printing()).toBeVisible();
  });

  it('says what became of the money', async () => {
    open(nusrat, COMPLETED);
    await says('Service fee$9.60', 'Paid to the seller$470.40', 'Closed on20 November 2026, 15:00', 'StatusCompleted');
  });

  it('says what came back of a deal that was cancelled, and the fee on it', async () => {
    open(nusrat, { ...ACTIVE, status: 'Cancelled', closedAt: '2026-11-20T09:00:00Z', exitAt: null, refund: 470.4 });
    await says('Refunded to the buyer$470.40', 'Fee on the refund$9.60', 'StatusCancelled');
    expect(screen.getByRole('main')).not.toHaveTextContent('Paid to the seller');
  });

  it('leads whoever reads it to the public proof, where it is switched on', async () => {
    proof = { ...PROOF, shown: true, code: CODE };
    open(nusrat, ACTIVE);
    expect(await screen.findByRole('link', { name: new RegExp(`/held/${CODE}$`) })).toBeVisible();
    await says('Anyone can check');
  });

  it('is there once the deal is paid', async () => {
    open(nusrat, {});
    expect(await screen.findByText('A deal has a receipt once it has been paid.')).toBeVisible();
    expect(printing()).toBeNull();
  });

  it('is in Bangla for a reader of Bangla', async () => {
    await setLanguage('bn');
    open(nusrat, COMPLETED);
    await says('সার্ভিস ফি$৯.৬০', 'অবস্থাসম্পন্ন');
  });

  it('says that it could not be loaded, and asks again', async () => {
    const { user } = open(nusrat, ACTIVE);
    server.use(
      http.get('*/api/deals/:id', () => HttpResponse.json({ code: 'not_found', message: 'No' }, { status: 404 }), { once: true }),
    );
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    await says('Price$480.00');
  });
});
