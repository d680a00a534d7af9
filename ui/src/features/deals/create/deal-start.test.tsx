import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { aConversation, chatServer, openThread, serveChat } from '@/testing/chat';
import { isWide } from '@/testing/deals';
import { aPost, aProfile, tanvirParty } from '@/testing/posts';
import { renderAt } from '@/testing/render';
import { aDeal, nusrat, server } from '@/testing/server';
import { filledIn, isWhole } from './create-schema';
import { aboutOf, BY_LINK } from './deal-start';

const nusratParty = { _id: nusrat._id, username: 'nusrat', profilePic: '', isStaff: false };

describe('what a new deal is filled in with', () => {
  it('is what the post says, and who owns it sells', () => {
    expect(filledIn({ other: tanvirParty, post: aPost() })).toMatchObject({
      ...{ other: tanvirParty, role: 'buyer', price: '480', days: '7', check: '10' },
      description: 'Cooking channel, 41,200 subscribers\n\nSince 2019.\nNo strikes.',
    });
    const other = { _id: 'u-farhana', username: 'farhana', profilePic: '', isStaff: false };
    expect(filledIn({ other, post: aPost({ price: 12.5, subcategory: 'Writing' }) })).toMatchObject({
      ...{ other, role: 'seller', price: '12.50', days: '3', check: '3' },
    });
  });

  it('is the other alone without a post', () => {
    expect(filledIn({ other: tanvirParty, post: null })).toMatchObject({ other: tanvirParty, role: '', price: '', check: '3' });
  });

  it('is whole with a post, and not without one or for a link', () => {
    const terms = { role: 'seller', price: '25', description: 'A logo' } as const;
    expect(isWhole(filledIn({ other: tanvirParty, post: aPost() }))).toBe(true);
    expect(isWhole(filledIn({ other: tanvirParty, post: null }))).toBe(false);
    expect(isWhole({ ...filledIn(BY_LINK), ...terms })).toBe(false);
  });

  it('has a draft of its own for a link', () => {
    expect(aboutOf(BY_LINK)).not.toBe(aboutOf(null));
  });

  it('is no longer than a description may be', () => {
    const { description } = filledIn({ other: tanvirParty, post: aPost({ title: '😀', description: '😀'.repeat(5_000) }) });
    expect(Array.from(description)).toHaveLength(5_000);
  });
});

describe('"Make a deal"', () => {
  let sent: unknown[];
  beforeEach(() => {
    sent = [];
    serveChat();
    isWide(true);
    server.use(
      http.get('*/api/posts/p-1', () => HttpResponse.json(aPost())),
      http.get('*/api/auth/profile/tanvir', () => HttpResponse.json(aProfile())),
      http.get('*/api/deals/d-1', () => HttpResponse.json({ ...aDeal(), timeline: [] })),
      http.post('*/api/deals/create', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ ...aDeal(), timeline: [] }, { status: 201 });
      }),
    );
  });

  const dialog = async () => within(await screen.findByRole('dialog', { name: 'Make a deal' }));

  it('on a post is a summary to send, and leads to the deal', async () => {
    const { user, router } = renderAt('/posts/p-1');
    const [button] = await screen.findAllByRole('button', { name: 'Make a deal' });
    if (button) await user.click(button);
    const form = await dialog();
    expect(form.getByRole('heading', { name: 'Cooking channel, 41,200 subscribers' })).toBeVisible();
    expect(form.getByText('You buy from tanvir')).toBeVisible();
    expect(form.getByText('You pay').closest('dl')).toHaveTextContent(
      'You pay≈ ৳59,040 $480.00Amanat’s fee, 2%− $9.60tanvir gets$470.40Inspection period10 days',
    );
    expect(form.queryByRole('textbox')).toBeNull();
    expect(form.getByRole('radio', { name: '7 days' })).toBeChecked();
    await user.click(form.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/deal/d-1'));
    expect(sent).toEqual([
      {
        ...{ price: 480, deliveryDuration: 7, inspectionDays: 10, buyerId: nusrat._id, sellerId: 'u-tanvir' },
        description: 'Cooking channel, 41,200 subscribers\n\nSince 2019.\nNo strikes.',
      },
    ]);
  });

  it('changes everything else behind "Change"', async () => {
    const { user } = renderAt('/posts/p-1');
    const [button] = await screen.findAllByRole('button', { name: 'Make a deal' });
    if (button) await user.click(button);
    const form = await dialog();
    await user.click(form.getByRole('button', { name: 'Change' }));
    expect(form.getByRole('combobox', { name: 'Who is the deal with?' })).toHaveValue('tanvir');
    expect(form.queryByRole('button', { name: 'Send a link' })).toBeNull();
    await user.clear(form.getByLabelText('Price'));
    await user.type(form.getByLabelText('Price'), '450');
    await user.click(form.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(sent).toMatchObject([{ price: 450, deliveryDuration: 7 }]));
  });

  it('in a conversation is about its post, seen from the side of the seller', async () => {
    const post = { _id: 'p-1', title: 'Cooking channel', price: 480, image: '', sellerId: nusrat._id };
    chatServer.conversations = [aConversation({ post })];
    server.use(http.get('*/api/posts/p-1', () => HttpResponse.json(aPost({ createdBy: nusratParty }))));
    const { user } = await openThread();
    await user.click(await screen.findByRole('button', { name: 'Make a deal' }));
    const form = await dialog();
    expect(form.getByText('You sell to tanvir')).toBeVisible();
    expect(await form.findByText('≈ ৳58,560')).toBeVisible();
    expect(form.getByText('You get').closest('dl')).toHaveTextContent('tanvir pays≈ ৳58,560 $480.00');
  });

  it('has the other person alone where the post has gone meanwhile', async () => {
    const post = { _id: 'p-2', title: 'Sold', price: 480, image: '', sellerId: 'u-tanvir' };
    chatServer.conversations = [aConversation({ post })];
    server.use(
      http.get('*/api/posts/p-2', () => HttpResponse.json({ message: 'Post not found', code: 'not_found' }, { status: 404 })),
    );
    const { user } = await openThread();
    await user.click(await screen.findByRole('button', { name: 'Make a deal' }));
    const form = await dialog();
    expect(form.getByRole('combobox', { name: 'Who is the deal with?' })).toHaveValue('tanvir');
    expect(form.getByLabelText('Price')).toHaveValue('');
  });

  it('is absent where nobody can be written to', async () => {
    chatServer.conversations = [aConversation({ writable: false, block: 'theirs' })];
    renderAt('/inbox/c-1');
    expect(await screen.findByText('You cannot send messages to this user.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Make a deal' })).toBeNull();
  });
});

it('a conversation shows the post that it is about, with the way to it', async () => {
  serveChat();
  isWide(true);
  chatServer.conversations = [
    aConversation({ post: { _id: 'p-1', title: 'Cooking channel', price: 480, image: '/api/images/i-1', sellerId: 'u-tanvir' } }),
  ];
  await openThread();
  const strip = screen.getByRole('link', { name: /Cooking channel/ });
  expect(strip).toHaveAttribute('href', '/posts/p-1');
  expect(strip).toHaveTextContent('About this postCooking channel$480');
  expect(strip.querySelector('img')).toHaveAttribute('alt', '');
});
