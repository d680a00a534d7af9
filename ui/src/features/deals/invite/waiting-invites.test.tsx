import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealInvite } from '@/api/contract';
import { anInvite, CODE } from '@/testing/invites';
import { doneAs } from '@/testing/outcomes';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

let mine: DealInvite[];

beforeEach(() => {
  signedInAs(nusrat);
  mine = [anInvite({ phone: '01712345678' })];
  server.use(http.get('*/api/invites', () => HttpResponse.json(mine)));
});

const region = async () => within(await screen.findByRole('region', { name: 'Waiting for someone to join' }));

describe('the links that wait', () => {
  it('stand above the pending deals, with whom they are for and until when', async () => {
    renderAt('/deal?tab=pending');
    const row = (await region()).getByRole('listitem');
    expect(row).toHaveTextContent('Ranna Ghor 24$200.00Waiting for 01712345678 to join · Expires 15 Nov 2126, 10:02');
    expect(within(row).getByRole('link', { name: 'Ranna Ghor 24' })).toHaveAttribute('href', `/d/${CODE}`);
  });

  it('are on no other tab', async () => {
    renderAt('/deal?tab=active');
    expect(await screen.findByText('No active deals')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Waiting for someone to join' })).toBeNull();
  });

  it('are sent by WhatsApp to the number they are for, or scanned', async () => {
    const { user } = renderAt('/deal?tab=pending');
    await user.click((await region()).getByRole('button', { name: 'Share' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Share the link' }));
    const address = `${window.location.origin}/d/${CODE}`;
    const text = `Ranna Ghor 24: $200.00, paid through Amanat. Join the deal here: ${address}`;
    expect(dialog.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
      'href',
      `https://wa.me/8801712345678?text=${encodeURIComponent(text)}`,
    );
    expect(dialog.getByTitle('QR code of the link')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: /^Copy link/ }));
    expect(await navigator.clipboard.readText()).toBe(address);
  });

  it('are cancelled after a question', async () => {
    const withdrawn: string[] = [];
    server.use(
      http.delete('*/api/invites/:code', ({ params }) => {
        withdrawn.push(String(params.code));
        mine = [];
        return HttpResponse.json(doneAs('link_withdrawn'));
      }),
    );
    const { user } = renderAt('/deal?tab=pending');
    await user.click((await region()).getByRole('button', { name: 'Cancel link to “Ranna Ghor 24”' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Cancel this link?' }));
    expect(withdrawn).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Cancel link' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Waiting for someone to join' })).toBeNull());
    await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['Link cancelled']));
    expect(withdrawn).toEqual([CODE]);
  });
});
