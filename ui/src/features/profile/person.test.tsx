import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Profile } from '@/api/contract';
import { aProfile, tanvirParty } from '@/testing/posts';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const serve = (profile: Profile) => server.use(http.get('*/api/auth/profile/:name', () => HttpResponse.json(profile)));

async function open(profile = aProfile()) {
  serve(profile);
  const app = renderAt('/profile/tanvir');
  await screen.findByRole('heading', { level: 1, name: 'tanvir' });
  return app;
}

beforeEach(() => serve(aProfile()));

describe('a profile', () => {
  it('has the facts, the posts and the reviews', async () => {
    await open();
    expect(screen.getByText('Member since June 2026')).toBeVisible();
    expect(screen.getByText('Email verified')).toBeVisible();
    expect(screen.getByText('96%')).toBeVisible();
    expect(screen.getByText('4.0')).toBeVisible();
    expect(screen.getByText('from 1 review')).toBeVisible();
    const posts = within(screen.getByRole('region', { name: 'Posts' }));
    expect(posts.getByRole('link', { name: /Cooking channel/ })).toHaveAttribute('href', '/posts/p-1');
    const reviews = within(screen.getByRole('region', { name: 'Reviews' }));
    expect(reviews.getByText('All as he said.')).toBeVisible();
    expect(reviews.getByRole('img', { name: '4 stars' })).toBeVisible();
    expect(reviews.getByRole('link', { name: 'nusrat' })).toHaveAttribute('href', '/profile/nusrat');
  });

  it('of somebody new says what there is not yet', async () => {
    await open(aProfile({ posts: [], reviews: [], successScore: null, averageRating: null, reviewCount: 0 }));
    expect(screen.getByText('No finished deals yet')).toBeVisible();
    expect(screen.getByText('tanvir offers nothing at the moment.')).toBeVisible();
    expect(screen.getAllByText('No reviews yet')).toHaveLength(2);
  });

  it('leads a visitor who wants to write to the sign-up, and has a way to report', async () => {
    await open();
    expect(screen.getByRole('link', { name: 'Message tanvir' })).toHaveAttribute('href', '/signup');
    expect(screen.getByRole('link', { name: 'Report this user' })).toHaveAttribute('href', '/contactus');
  });

  it('opens the chat for who is signed in', async () => {
    signedInAs(nusrat);
    const bodies: unknown[] = [];
    server.use(
      http.post('*/api/messages/send-or-start', async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ message: 'User not found', code: 'not_found' }, { status: 404 });
      }),
    );
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Message tanvir' }));
    await waitFor(() => expect(bodies).toEqual([{ receiverId: 'u-tanvir' }]));
  });

  it('of one’s own leads to the settings', async () => {
    signedInAs({ ...nusrat, ...tanvirParty });
    await open();
    expect(screen.getByRole('link', { name: 'Edit profile' })).toHaveAttribute('href', '/profile');
    expect(screen.getByText('This is how others see you.')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Report this user' })).toBeNull();
  });
});

it('of nobody says so', async () => {
  server.use(
    http.get('*/api/auth/profile/:name', () =>
      HttpResponse.json({ message: 'User not found', code: 'not_found' }, { status: 404 }),
    ),
  );
  renderAt('/profile/nobody');
  expect(await screen.findByRole('heading', { level: 1, name: 'User not found' })).toBeVisible();
});
