import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { aConversation, serveChat } from '@/testing/chat';
import { ACTIVE, aDetail, openDeal, serveDeal } from '@/testing/deals';
import { deferred } from '@/testing/deferred';
import { aListing, aPost, aProfile } from '@/testing/posts';
import { queryClient } from '@/testing/query-client';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

/** A response that waits for its release. */
function holding(answer: () => Response) {
  const released = deferred();
  let asked = false;
  return {
    answer: async () => {
      asked = true;
      await released.promise;
      return answer();
    },
    asked: () => waitFor(() => expect(asked).toBe(true)),
    release: () =>
      act(() => {
        released.resolve();
        return released.promise;
      }),
  };
}

const said = () => notices.map(({ text }) => text);

it('the marketplace keeps nobody who is on the way to a page that loads', async () => {
  const listing = holding(() => HttpResponse.json(aListing([aPost({ title: 'A cup' })], { seed: 'seed-1' })));
  const profile = holding(() => HttpResponse.json(aProfile()));
  server.use(http.get('*/api/posts/public', listing.answer), http.get('*/api/auth/profile/:name', profile.answer));
  const { router } = renderAt('/explore');
  await listing.asked();
  void router.navigate({ to: '/profile/$username', params: { username: 'tanvir' } });
  await profile.asked();
  await listing.release();
  await waitFor(() => expect(queryClient.isFetching({ queryKey: ['posts', 'public'] })).toBe(0));
  await profile.release();
  expect(await screen.findByRole('heading', { level: 1, name: 'tanvir' })).toBeVisible();
  expect(router.state.location.pathname).toBe('/profile/tanvir');
});

describe('an answer that arrives on another page leaves its reader there', () => {
  beforeEach(serveDeal);

  async function goElsewhere(router: ReturnType<typeof renderAt>['router']) {
    await act(() => router.navigate({ to: '/terms', ignoreBlocker: true }));
    await screen.findByRole('heading', { level: 1, name: 'Terms' });
  }

  it('of a post that is published', async () => {
    signedInAs(nusrat);
    const published = holding(() => HttpResponse.json(aPost({ title: 'A logo' }), { status: 201 }));
    server.use(http.post('*/api/posts', published.answer));
    const { user, router } = renderAt('/posts/create');
    await user.type(await screen.findByLabelText(/^Title/), 'A logo');
    await user.type(screen.getByLabelText(/^Description/), 'In two days.');
    await user.type(screen.getByLabelText('Price'), '65');
    await user.selectOptions(screen.getByLabelText('Category'), 'Freelance Service');
    await user.selectOptions(screen.getByLabelText('Subcategory'), 'Logo Design');
    await user.click(screen.getByRole('button', { name: 'Publish' }));
    await published.asked();
    await goElsewhere(router);
    await published.release();
    await waitFor(() => expect(said()).toEqual(['Post published']));
    expect(router.latestLocation.pathname).toBe('/terms');
  });

  it('of a conversation that is opened', async () => {
    serveChat();
    const opened = holding(() =>
      HttpResponse.json({ conversation: aConversation(), message: null, created: false }, { status: 201 }),
    );
    server.use(http.post('*/api/messages/send-or-start', opened.answer));
    const { user, router } = await openDeal(nusrat, aDetail(ACTIVE));
    await user.click(screen.getByRole('button', { name: 'Message tanvir' }));
    await opened.asked();
    await goElsewhere(router);
    await opened.release();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    expect(router.latestLocation.pathname).toBe('/terms');
  });
});
