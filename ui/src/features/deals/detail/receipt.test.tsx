import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealDetail, Paper, User } from '@/api/contract';
import { setLanguage } from '@/i18n';
import { ACTIVE, aDetail, COMPLETED, tanvir } from '@/testing/deals';
import { aPaper } from '@/testing/papers';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const ID = '0198c0de-0000-7000-8000-00ab12cd34ef';
let paper: Paper;
beforeEach(() => {
  paper = aPaper();
});

function open(user: User, over: Partial<DealDetail>) {
  signedInAs(user);
  server.use(
    http.get('*/api/deals/:id/receipt', () => HttpResponse.json(paper)),
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
    await says('Buyernusrat', 'Sellertanvir', /Paid on\d+ November 2026, \d\d:\d\d/);
    expect(screen.getByRole('main')).not.toHaveTextContent('Closed on');
    await says('ReceiptPrice$480.00≈ ৳58,560, at ৳122 a dollar that dayReceipt number', 'Amanat Ltd12 Lake Road, Dhaka');
    expect(screen.getByRole('link', { name: /\/check\/04pq8vzj3n$/ })).toBeVisible();
    expect(screen.getByRole('img', { name: 'QR code of the address' })).toBeVisible();
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

  it('says nothing of taka if there was no rate, nor of an address that the operator has not', async () => {
    paper = aPaper({ usdToBdt: null, operator: 'amanat.example' });
    open(nusrat, ACTIVE);
    await says('amanat.exampleReceipt');
    expect(screen.getByRole('main')).not.toHaveTextContent('a dollar that day');
  });

  it('is there once the deal is paid', async () => {
    open(nusrat, {});
    expect(await screen.findByText('A deal has a receipt once it has been paid.')).toBeVisible();
    expect(printing()).toBeNull();
  });

  it('is in Bangla for a reader of Bangla', async () => {
    await setLanguage('bn');
    open(nusrat, COMPLETED);
    await says('≈ ৳৫৮,৫৬০, সেদিন ডলারের দর ছিল ৳১২২', 'সার্ভিস ফি$৯.৬০', 'অবস্থাসম্পন্ন', 'যে কেউ যাচাই করতে পারেন');
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
