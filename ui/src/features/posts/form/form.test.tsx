import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Post } from '@/api/contract';
import * as pictures from '@/lib/pictures';
import { closePage } from '@/testing/deals';
import { aPost } from '@/testing/posts';
import { notices } from '@/testing/recorded';
import { renderAt } from '@/testing/render';
import { nusrat, server, signedInAs } from '@/testing/server';

const WEBP = 'data:image/webp;base64,AAAA';
const mine = aPost({
  createdBy: { _id: nusrat._id, username: nusrat.username, profilePic: '', isStaff: false },
  image: '/api/images/i-1',
});

let list: Post[];
let sent: { method: string; body: unknown; key: string | null }[];

/** The server accepts the request, or sends this refusal. */
function takes(refusal?: () => Response) {
  const answer = async ({ request }: { request: Request }) => {
    const body = (await request.json()) as object;
    sent.push({ method: request.method, body, key: request.headers.get('Idempotency-Key') });
    if (refusal) return refusal();
    list = [{ ...mine, ...body }];
    return HttpResponse.json(list[0], { status: request.method === 'POST' ? 201 : 200 });
  };
  server.use(http.post('*/api/posts', answer), http.put('*/api/posts/p-1', answer));
}

beforeEach(() => {
  sessionStorage.clear();
  sent = [];
  list = [mine];
  signedInAs(nusrat);
  takes();
  server.use(
    http.get('*/api/posts/my-posts', () => HttpResponse.json(list)),
    http.get('*/api/posts/p-1', () => HttpResponse.json(mine)),
  );
});

const said = () => notices.map(({ kind, text }) => [kind, text]);
const tagField = () => screen.getByRole('textbox', { name: /^Tags/ });
const field = (name: string | RegExp) => screen.getByLabelText(name);

async function open(path = '/posts/create', title = 'Create a post') {
  const app = renderAt(path);
  await screen.findByRole('heading', { level: 1, name: title });
  const submit = () => app.user.click(screen.getByRole('button', { name: /^(Publish|Save)$/ }));
  // As if the file picker showed all types.
  const add = (...files: File[]) => fireEvent.change(field('Add pictures'), { target: { files } });
  return { ...app, submit, add };
}

type App = Awaited<ReturnType<typeof open>>;

async function fillIn({ user }: App) {
  await user.type(field(/^Title/), 'A logo');
  await user.type(field(/^Description/), 'In two days.');
  await user.type(field('Price'), '৬৫.৫');
  await user.selectOptions(field('Category'), 'Freelance Service');
  await user.selectOptions(field('Subcategory'), 'Logo Design');
}

describe('the rules', () => {
  it('are checked in the order of the rules', async () => {
    const app = await open();
    const { user, submit } = app;
    const step = async (expected: string, then: () => Promise<void>) => {
      notices.length = 0;
      await submit();
      await waitFor(() => expect(said()).toEqual([['error', expected]]));
      await then();
    };
    await step('Title is required.', () => user.type(field(/^Title/), 'A logo'));
    await step('Description is required.', () => user.type(field(/^Description/), 'In two days.'));
    await step('Price is required.', () => user.type(field('Price'), '65'));
    await step('Category is required.', () => user.selectOptions(field('Category'), 'Freelance Service'));
    await step('Subcategory is required.', () => user.selectOptions(field('Subcategory'), 'Other'));
    await step('Please enter your own subcategory.', () => user.type(field('Your own subcategory'), 'Voice'));
    await submit();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ subcategory: 'Voice' });
  });

  it('count the title as it is typed', async () => {
    const { user, submit } = await open();
    expect(screen.getByText('0/80 characters')).toBeVisible();
    await user.click(field(/^Title/));
    await user.paste('ক'.repeat(81));
    expect(screen.getByText('81/80 characters')).toBeVisible();
    await submit();
    await waitFor(() => expect(field(/^Title/)).toHaveAccessibleDescription('The title must be at most 80 characters.'));
    expect(field(/^Title/)).toHaveFocus();
  });

  it('offer the subcategories of the chosen category, and Other', async () => {
    const { user } = await open();
    const options = () =>
      within(field('Subcategory'))
        .getAllByRole('option')
        .map((option) => option.textContent);
    expect(options()).toEqual(['Choose a category first']);
    await user.selectOptions(field('Category'), 'Online Asset');
    expect(options().slice(0, 2)).toEqual(['Choose', 'YouTube Channel']);
    expect(options().at(-1)).toBe('Other');
    await user.selectOptions(field('Subcategory'), 'Ebook');
    await user.selectOptions(field('Category'), 'Physical Product');
    expect(field('Subcategory')).toHaveValue('');
  });
});

describe('a new post', () => {
  it('is published with a key, and leads to one’s own posts with its link to share', async () => {
    const app = await open();
    await fillIn(app);
    await app.submit();
    // The sheet hides the page from the accessibility tree.
    await screen.findByRole('heading', { level: 1, name: 'My Services', hidden: true });
    expect(said()).toEqual([['success', 'Post published']]);
    expect(sent).toEqual([
      {
        method: 'POST',
        key: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        body: {
          ...{ title: 'A logo', description: 'In two days.', price: 65.5, images: [], tags: [], facts: {} },
          ...{ category: 'Freelance Service', subcategory: 'Logo Design' },
        },
      },
    ]);
    expect(Object.keys(sessionStorage).filter((name) => name.startsWith('draft:'))).toEqual([]);
    const sheet = within(await screen.findByRole('dialog', { name: 'Share the link' }));
    expect(sheet.getByText('localhost:3000/posts/p-1')).toBeVisible();
    await app.user.click(sheet.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(app.router.state.location.state.published).toBeUndefined());
  });

  it('has its tags added with Enter and comma, none twice, and removed', async () => {
    const app = await open();
    const { user } = app;
    await fillIn(app);
    await user.type(tagField(), 'logo');
    fireEvent.keyDown(tagField(), { key: 'Enter', keyCode: 229 }); // ends a word in Safari
    await user.type(tagField(), '{Enter}Tea, LOGO,');
    await user.paste('shop, brand');
    const tags = () =>
      screen.getAllByRole('button', { name: /^Remove the tag/ }).map((button) => button.parentElement?.textContent);
    expect(tags()).toEqual(['logo', 'Tea', 'shop', 'brand']);
    await user.click(screen.getByRole('button', { name: 'Remove the tag shop' }));
    expect(tagField()).toHaveFocus();
    // A tag not yet added counts, too.
    await user.type(tagField(), 'last');
    await app.submit();
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ tags: ['logo', 'Tea', 'brand', 'last'] }));
  });

  it('is refused with a tag too long, which stays to be mended', async () => {
    const app = await open();
    await fillIn(app);
    await app.user.click(tagField());
    await app.user.paste('x'.repeat(31));
    await app.submit();
    await waitFor(() => expect(said()).toEqual([['error', 'A tag must be at most 30 characters.']]));
    expect(tagField()).toHaveValue('x'.repeat(31));
    expect(tagField()).toHaveAccessibleDescription('A tag must be at most 30 characters.');
    expect(sent).toEqual([]);
  });

  it('shows at its field what the server refuses, and keeps everything', async () => {
    const text = 'Subcategory is required.';
    takes(() => HttpResponse.json({ message: text, code: 'invalid', fields: { subcategory: text } }, { status: 400 }));
    const app = await open();
    await fillIn(app);
    await app.submit();
    await waitFor(() => expect(field('Subcategory')).toHaveAccessibleDescription(text));
    expect(field(/^Title/)).toHaveValue('A logo');
  });
});

it('asks for the details of its subcategory, and sends those filled in', async () => {
  const app = await open();
  await fillIn(app);
  await app.user.selectOptions(field('Category'), 'Online Asset');
  await app.user.selectOptions(field('Subcategory'), 'YouTube Channel');
  await app.user.type(field('Subscribers'), '৪১,২০০');
  await app.user.selectOptions(field('Monetised'), 'Yes');
  await app.user.type(field('Topic'), ' Cooking ');
  await app.user.type(field('Strikes'), '0');
  await app.submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ facts: { subscribers: 41200, monetised: true, niche: 'Cooking', strikes: 0 } });
});

const photo = new File(['raw'], 'photo.jpg', { type: 'image/jpeg' });

/** The server keeps pictures as /api/images/1 and so on, unless one is refused. */
function keepsPictures(refusals: (Response | undefined)[] = []) {
  let added = 0;
  server.use(
    http.post(
      '*/api/posts/pictures',
      () => refusals.shift() ?? HttpResponse.json({ url: `/api/images/${++added}` }, { status: 201 }),
    ),
  );
  return vi.spyOn(pictures, 'downscale').mockResolvedValue(WEBP);
}

const shown = () => screen.queryAllByRole('img', { name: /^Picture \d$/ }).map((picture) => picture.getAttribute('src'));
const uploaded = (...ids: number[]) => waitFor(() => expect(shown()).toEqual(ids.map((id) => `/api/images/${id}?w=320`)));

describe('the pictures', () => {
  it('are made small, uploaded in their order, moved and removed', async () => {
    const downscale = keepsPictures();
    const app = await open();
    await fillIn(app);
    app.add(photo, photo, photo);
    await uploaded(1, 2, 3);
    expect(downscale).toHaveBeenCalledWith(photo, { max: 1600 });
    await app.user.click(screen.getByRole('button', { name: 'Make picture 3 the first' }));
    await app.user.click(screen.getByRole('button', { name: 'Remove picture 2' }));
    await uploaded(3, 2);
    await app.submit();
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ images: ['/api/images/3', '/api/images/2'] }));
  });

  it('that the server refuses can be sent again, and hold up the post until then', async () => {
    const text = 'Too many attempts. Please try again later.';
    keepsPictures([HttpResponse.json({ message: text, code: 'rate_limited' }, { status: 429 })]);
    const app = await open();
    await fillIn(app);
    app.add(photo);
    expect(await screen.findByText(text)).toBeVisible();
    await app.submit();
    await waitFor(() => expect(said()).toEqual([['error', 'Some pictures were not uploaded. Try again or remove them.']]));
    await app.user.click(screen.getByRole('button', { name: 'Upload picture 1 again' }));
    await uploaded(1);
    await app.submit();
    await waitFor(() => expect(sent[0]?.body).toMatchObject({ images: ['/api/images/1'] }));
  });

  it('are at most eight, and are there again after a reload', async () => {
    keepsPictures();
    const app = await open();
    app.add(...Array<File>(9).fill(photo));
    expect(said()).toEqual([['error', 'You can add at most 8 pictures.']]);
    await uploaded(1, 2, 3, 4, 5, 6, 7, 8);
    expect(screen.queryByLabelText('Add pictures')).toBeNull();
    closePage();
    signedInAs(nusrat);
    await open();
    await uploaded(1, 2, 3, 4, 5, 6, 7, 8);
  });

  it('must be pictures, and say what to do if they cannot be read', async () => {
    vi.spyOn(pictures, 'downscale').mockRejectedValue(new pictures.UnreadablePictureError());
    const app = await open();
    app.add(new File(['%PDF'], 'a.pdf', { type: 'application/pdf' }));
    expect(said()).toEqual([['error', 'Please select an image file!']]);
    app.add(new File(['heic'], 'a.heic', { type: 'image/heic' }));
    await waitFor(() =>
      expect(field('Add pictures')).toHaveAccessibleDescription(
        'This picture cannot be read here. Save it as JPEG or PNG and choose it again.',
      ),
    );
  });
});

describe('editing', () => {
  const edit = () => open('/posts/edit/p-1', 'Edit post');

  it('starts with what is published and sends all of it, the pictures by their addresses', async () => {
    const { user, submit } = await edit();
    expect(field('Price')).toHaveValue('480.00');
    expect(field('Subcategory')).toHaveValue('YouTube Channel');
    expect(screen.queryByText(/We restored your unsaved draft/)).toBeNull();
    await user.clear(field(/^Title/));
    await user.type(field(/^Title/), 'A channel');
    await submit();
    await screen.findByRole('heading', { level: 1, name: 'My Services' });
    expect(sent).toEqual([
      {
        method: 'PUT',
        key: null,
        body: {
          ...{ title: 'A channel', description: mine.description, price: 480, images: ['/api/images/i-1'] },
          ...{ tags: ['cooking', 'bangla'], facts: {}, category: 'Online Asset', subcategory: 'YouTube Channel' },
        },
      },
    ]);
    expect(said()).toEqual([['success', 'Post saved']]);
    expect(await screen.findByText('A channel')).toBeVisible();
  });

  it('shows a subcategory of one’s own as Other with its words', async () => {
    server.use(http.get('*/api/posts/p-1', () => HttpResponse.json({ ...mine, subcategory: 'Podcast' })));
    await edit();
    expect(field('Subcategory')).toHaveValue('Other');
    expect(field('Your own subcategory')).toHaveValue('Podcast');
  });

  it('is for its seller alone', async () => {
    server.use(http.get('*/api/posts/p-1', () => HttpResponse.json(aPost())));
    renderAt('/posts/edit/p-1');
    expect(await screen.findByRole('heading', { level: 1, name: 'Post not found' })).toBeVisible();
  });
});

describe('what was typed', () => {
  it('is there again after a reload, and can be put aside', async () => {
    const first = await open();
    await first.user.type(field(/^Title/), 'A logo');
    await first.user.type(tagField(), 'tea,');
    closePage();
    signedInAs(nusrat);
    const { user } = await open();
    expect(field(/^Title/)).toHaveValue('A logo');
    expect(screen.getByRole('button', { name: 'Remove the tag tea' })).toBeVisible();
    expect(screen.getByText(/We restored your unsaved draft/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Start with an empty form' }));
    expect(field(/^Title/)).toHaveValue('');
    expect(screen.queryByRole('button', { name: 'Remove the tag tea' })).toBeNull();
  });

  it('is asked about before the page is left, and kept', async () => {
    const { user, router } = await open();
    await user.type(field(/^Title/), 'A logo');
    await user.click(screen.getByRole('link', { name: 'Cancel' }));
    let question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    await user.click(within(question).getByRole('button', { name: 'Stay' }));
    expect(router.state.location.pathname).toBe('/posts/create');
    await user.click(screen.getByRole('link', { name: 'Cancel' }));
    question = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    await user.click(within(question).getByRole('button', { name: 'Leave' }));
    await screen.findByRole('heading', { level: 1, name: 'My Services' });
    await router.navigate({ to: '/posts/create' });
    await screen.findByRole('heading', { level: 1, name: 'Create a post' });
    expect(field(/^Title/)).toHaveValue('A logo');
  });

  it('and not changed is not asked about', async () => {
    const { user } = await open('/posts/edit/p-1', 'Edit post');
    await user.click(screen.getByRole('link', { name: 'Cancel' }));
    await screen.findByRole('heading', { level: 1, name: 'My Services' });
  });
});
