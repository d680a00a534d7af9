import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Profile } from '@/api/contract';
import { addDays, dhakaDay, formatTime } from '@/lib/time';
import { pageOf } from '@/testing/deal-lists';
import { closePage } from '@/testing/deals';
import { onCall, unblockedAnswer } from '@/testing/moderation';
import { aPost, aProfile, aReview, tanvirParty } from '@/testing/posts';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const serve = (profile: Profile) => server.use(http.get('*/api/auth/profile/:name', () => HttpResponse.json(profile)));

async function open(profile = aProfile(), heading = 'tanvir') {
  serve(profile);
  const app = renderAt('/profile/tanvir');
  await screen.findByRole('heading', { level: 1, name: heading });
  return app;
}

beforeEach(() => serve(aProfile()));

describe('a profile', () => {
  it('has the facts, the posts and the reviews', async () => {
    await open();
    const facts = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(facts).toEqual([
      ...['June 2026', 'Verified', '96% 24 of 25 deals completed', ' 4.0 from 1 review', '12 people', '$1,000–10,000'],
      ...['usually within 18 hours', 'usually within 12 minutes'],
    ]);
    expect(screen.queryByRole('img', { name: 'Amanat staff' })).toBeNull();
    const posts = within(screen.getByRole('region', { name: 'Posts' }));
    expect(posts.getByRole('link', { name: /Cooking channel/ })).toHaveAttribute('href', '/posts/p-1');
    const reviews = within(screen.getByRole('region', { name: 'Reviews' }));
    expect(reviews.getByText('All as he said.')).toBeVisible();
    expect(reviews.getByRole('img', { name: '4 stars' })).toBeVisible();
    expect(reviews.getByRole('link', { name: 'nusrat' })).toHaveAttribute('href', '/profile/nusrat');
  });

  it('says until when its user is away, no longer than that', async () => {
    const today = dhakaDay(Date.now());
    const away = (awayUntil: string) => aProfile({ user: { ...aProfile().user, awayUntil } });
    await open(away(today));
    expect(screen.getByText(`Away until ${formatTime(today, 'day')}`)).toBeVisible();
    closePage();
    await open(away(addDays(today, -1)));
    expect(screen.queryByText(/^Away/)).toBeNull();
  });

  it('has the stars of a reviewer who has closed the account, without words and a link', async () => {
    const reviewer = { ...aReview().reviewer, username: 'deleted-4f7k2m9q', closed: true };
    await open(aProfile({ reviews: [aReview({ reviewer, comment: '' })] }));
    const reviews = within(screen.getByRole('region', { name: 'Reviews' }));
    expect(reviews.getByText('The words of this review were deleted.')).toBeVisible();
    expect(reviews.getByText('deleted-4f7k2m9q')).toBeVisible();
    expect(reviews.queryByRole('link')).toBeNull();
  });

  it('shows more posts and reviews when asked', async () => {
    const posts = Array.from({ length: 15 }, (_, index) => aPost({ _id: `p-${index}`, title: `Post ${index}` }));
    const reviews = Array.from({ length: 12 }, (_, index) => aReview({ _id: `r-${index}`, comment: `Review ${index}` }));
    server.use(
      http.get('*/api/posts/user/tanvir', ({ request }) => pageOf(posts, new URL(request.url))),
      http.get('*/api/reviews', ({ request }) => pageOf(reviews, new URL(request.url))),
    );
    const first = { posts: posts.slice(0, 12), reviews: reviews.slice(0, 10) };
    const { user } = await open(aProfile({ ...first, postCount: 15, ratingCount: 12, reviewCount: 12 }));
    const inPosts = within(screen.getByRole('region', { name: 'Posts' }));
    await user.click(inPosts.getByRole('button', { name: 'Show 3 more' }));
    expect(await inPosts.findByRole('link', { name: /Post 14/ })).toBeVisible();
    expect(inPosts.getAllByRole('listitem')).toHaveLength(15);
    const inReviews = within(screen.getByRole('region', { name: /^Reviews/ }));
    await user.click(inReviews.getByRole('button', { name: 'Show 2 more' }));
    expect(await inReviews.findByText('Review 11')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
  });

  it('says when the rest does not come, and asks again', async () => {
    const posts = Array.from({ length: 15 }, (_, index) => aPost({ _id: `p-${index}`, title: `Post ${index}` }));
    server.use(http.get('*/api/posts/user/tanvir', () => HttpResponse.json({ code: 'invalid', message: '' }, { status: 400 })));
    const { user } = await open(aProfile({ posts: posts.slice(0, 12), postCount: 15 }));
    const inPosts = within(screen.getByRole('region', { name: 'Posts' }));
    await user.click(inPosts.getByRole('button', { name: 'Show 3 more' }));
    const failed = within(await inPosts.findByRole('alert'));
    expect(failed.getByText('The rest could not be loaded.')).toBeVisible();
    server.use(http.get('*/api/posts/user/tanvir', ({ request }) => pageOf(posts, new URL(request.url))));
    await user.click(failed.getByRole('button', { name: 'Retry' }));
    expect(await inPosts.findByRole('link', { name: /Post 14/ })).toBeVisible();
    expect(inPosts.queryByRole('alert')).toBeNull();
  });

  it('of Amanat’s own people carries the mark, in words, too', async () => {
    await open(aProfile({ user: { ...aProfile().user, isStaff: true } }), 'tanvirAmanat staff');
    expect(screen.getByText('Amanat staff')).toBeVisible();
  });

  it('of somebody new says what there is not yet', async () => {
    await open(
      aProfile({
        posts: [],
        postCount: 0,
        reviews: [],
        successScore: null,
        averageRating: null,
        ratingCount: 0,
        reviewCount: 0,
        partners: 0,
        completedDeals: 0,
        finishedDeals: 0,
        volumeBand: 'none',
        typicalDeliveryHours: null,
        typicalAnswerMinutes: null,
      }),
    );
    expect(screen.getByText('No one yet')).toBeVisible();
    expect(screen.queryByText('Volume')).toBeNull();
    expect(screen.getByText('No finished deals yet')).toBeVisible();
    expect(screen.getAllByText('Not known yet')).toHaveLength(2);
    expect(screen.getByText('tanvir offers nothing at the moment.')).toBeVisible();
    expect(screen.getAllByText('No reviews yet')).toHaveLength(2);
  });

  it('leads a visitor who wants to write to the sign-up, and has a way to report', async () => {
    await open();
    expect(screen.getByRole('link', { name: 'Message tanvir' })).toHaveAttribute(
      'href',
      '/signup?redirect=%2Fprofile%2Ftanvir%3Fnext%3Dcontact',
    );
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

  it('of somebody blocked has the way back, which the way to write takes the place of', async () => {
    signedInAs(nusrat);
    let block = 'mine';
    server.use(http.get('*/api/users/u-tanvir/relation', () => HttpResponse.json({ block })));
    onCall('delete', '/users/u-tanvir/block', () => {
      block = 'none';
      return unblockedAnswer();
    });
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Unblock tanvir' }));
    const message = await screen.findByRole('button', { name: 'Message tanvir' });
    await waitFor(() => expect(message).toHaveFocus());
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
