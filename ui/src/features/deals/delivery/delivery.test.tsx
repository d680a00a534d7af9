import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DealPicture, Failure } from '@/api/contract';
import * as pictures from '@/lib/pictures';
import { ACTIVE, aDetail, closePage, DELIVERED, dealChange, held, openDeal, serveDeal, tanvir } from '@/testing/deals';
import { doneAs } from '@/testing/outcomes';
import { notices } from '@/testing/recorded';
import { server } from '@/testing/server';
import { resetAttachments } from './attachments';

const IMAGE = 'data:image/webp;base64,AAAA';

const photo = (name = 'a.jpg') => new File(['raw'], name, { type: 'image/jpeg' });
const said = () => notices.map(({ kind, text }) => [kind, text]);

/** The server's record. */
const told = { uploads: 0, keys: [] as (string | null)[], removed: [] as string[], bodies: [] as unknown[] };

const aPicture = (id: string): DealPicture => ({ _id: id, url: `/api/images/${id}`, width: 1600, height: 1200 });
const refusal = (status: number, failure: Partial<Failure> & { code: Failure['code'] }) =>
  HttpResponse.json({ message: 'No.', ...failure }, { status });

beforeEach(() => {
  serveDeal();
  vi.spyOn(pictures, 'downscale').mockImplementation((file) =>
    (file as File).name.endsWith('.heic') ? Promise.reject(new pictures.UnreadablePictureError()) : Promise.resolve(IMAGE),
  );
  Object.assign(told, { uploads: 0, keys: [], removed: [], bodies: [] });
  server.use(
    http.post('*/api/deals/d-1/pictures', ({ request }) => {
      told.uploads += 1;
      told.keys.push(request.headers.get('Idempotency-Key'));
      return HttpResponse.json({ picture: aPicture(`i-${told.uploads}`) }, { status: 201 });
    }),
    http.delete('*/api/deals/d-1/pictures/:id', ({ params }) => {
      told.removed.push(String(params.id));
      return HttpResponse.json(doneAs('picture_removed'));
    }),
    http.post('*/api/deals/deliver/d-1', async ({ request }) => {
      told.bodies.push(await request.json());
      held.deal = aDetail(DELIVERED);
      return dealChange('deal_delivered', held.deal);
    }),
  );
});

/** Answers the first upload, and returns a record that gets its key. */
function failFirstUpload(answer: Response): { key: string | null } {
  const first: { key: string | null } = { key: null };
  server.use(
    http.post(
      '*/api/deals/d-1/pictures',
      ({ request }) => {
        first.key = request.headers.get('Idempotency-Key');
        return answer;
      },
      { once: true },
    ),
  );
  return first;
}

async function askToDeliver() {
  const app = await openDeal(tanvir, aDetail(ACTIVE));
  await app.user.click(app.panel.getByRole('button', { name: 'Mark as delivered' }));
  return { ...app, ...(await theDialog()) };
}

async function theDialog() {
  const element = await screen.findByRole('dialog', { name: 'Have you delivered everything?' });
  const dialog = within(element);
  return {
    dialog,
    text: dialog.getByRole<HTMLTextAreaElement>('textbox', { name: /Message to nusrat/ }),
    file: dialog.getByLabelText<HTMLInputElement>('Add pictures'),
    deliver: dialog.getByRole('button', { name: /Mark as delivered/ }),
  };
}

const uploaded = (done: number, count = done) => screen.findByText(`${done} of ${count} pictures uploaded`);

describe('delivering', () => {
  it('needs neither words nor pictures', async () => {
    const { user, deliver, sentence } = await askToDeliver();
    await user.click(deliver);
    await waitFor(() => expect(said()).toEqual([['success', 'Seller has delivered the deal']]));
    expect(told.bodies).toEqual([{ text: '', pictures: [] }]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sentence).toHaveTextContent('nusrat checks it, then releases the money.');
  });

  it('names the courier and the tracking number', async () => {
    const { user, dialog, deliver } = await askToDeliver();
    const courier = dialog.getByRole('combobox', { name: 'Courier' });
    expect(dialog.queryByRole('textbox', { name: /Tracking number/ })).toBeNull();
    await user.selectOptions(courier, 'Other');
    await user.click(deliver);
    expect(await dialog.findByText('Name the courier.')).toBeVisible();
    expect(dialog.getByRole('textbox', { name: 'Name of the courier' })).toHaveFocus();
    await user.type(dialog.getByRole('textbox', { name: 'Name of the courier' }), ' Karim Transport ');
    await user.type(dialog.getByRole('textbox', { name: /Tracking number/ }), ' DA77 ');
    await user.click(deliver);
    const sent = { courier: 'Karim Transport', trackingNumber: 'DA77' };
    await waitFor(() => expect(told.bodies).toEqual([{ text: '', pictures: [], ...sent }]));
  });

  it('sends the words, trimmed, and the pictures in their order; afterwards nothing of them is kept', async () => {
    const { user, dialog, text, file, deliver } = await askToDeliver();
    await user.type(text, '  It is all in your inbox. ');
    await user.upload(file, [photo('one.jpg'), photo('two.jpg')]);
    await uploaded(2);
    expect(dialog.getAllByRole('img').map((img) => img.getAttribute('alt'))).toEqual(['Picture 1', 'Picture 2']);
    await user.click(deliver);
    await waitFor(() => expect(told.bodies).toEqual([{ text: 'It is all in your inbox.', pictures: ['i-1', 'i-2'] }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    closePage();
    const again = await askToDeliver();
    expect(again.text).toHaveValue('');
    expect(again.dialog.queryByRole('img')).toBeNull();
  });

  it('keeps words and pictures through a failure, a closed dialog and a reload', async () => {
    server.use(http.post('*/api/deals/deliver/d-1', () => HttpResponse.error(), { once: true }));
    const { user, text, file, deliver } = await askToDeliver();
    await user.type(text, 'All done');
    await user.upload(file, photo());
    await uploaded(1);
    await user.click(deliver);
    await waitFor(() => expect(said()).toEqual([['error', 'Failed to deliver the deal']]));
    expect(deliver).toBeEnabled();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    closePage();
    resetAttachments();
    const again = await askToDeliver();
    expect(again.text).toHaveValue('All done');
    expect(again.dialog.getByRole('img', { name: 'Picture 1' })).toHaveAttribute('src', '/api/images/i-1?w=320');
    await again.user.click(again.deliver);
    await waitFor(() => expect(told.bodies).toEqual([{ text: 'All done', pictures: ['i-1'] }]));
  });

  it('says what is wrong with the words, and how long they are once they are long', async () => {
    const { user, dialog, text, deliver } = await askToDeliver();
    fireEvent.change(text, { target: { value: 'x'.repeat(2_001) } });
    expect(dialog.getByText('2,001/2,000')).toBeVisible();
    await user.click(deliver);
    expect(await dialog.findByText('The text must be at most 2,000 characters.')).toBeVisible();
    expect(text).toHaveFocus();
    expect(told.bodies).toEqual([]);
    expect(text.value).toHaveLength(2_001);
  });

  it('shows at the pictures that one is not there any more', async () => {
    const lost = 'One of the pictures is not there any more. Please add it again.';
    server.use(
      http.post('*/api/deals/deliver/d-1', () =>
        refusal(400, { code: 'invalid', message: lost, reason: 'pictures_unknown', fields: { pictures: lost } }),
      ),
    );
    const { user, dialog, text, file, deliver } = await askToDeliver();
    await user.type(text, 'All done');
    await user.upload(file, photo());
    await uploaded(1);
    await user.click(deliver);
    expect(await dialog.findByText(lost)).toBeVisible();
    expect(text).toHaveValue('All done');
  });
});

describe('a picture', () => {
  it('is removed here and on the server, and comes back where that fails', async () => {
    const { user, dialog, file } = await askToDeliver();
    await user.upload(file, [photo(), photo()]);
    await uploaded(2);
    await user.click(dialog.getByRole('button', { name: 'Remove picture 1' }));
    await waitFor(() => expect(told.removed).toEqual(['i-1']));
    expect(dialog.getAllByRole('img')).toHaveLength(1);
    server.use(http.delete('*/api/deals/d-1/pictures/:id', () => HttpResponse.error(), { once: true }));
    await user.click(dialog.getByRole('button', { name: 'Remove picture 1' }));
    await waitFor(() => expect(said()).toEqual([['error', 'The picture could not be removed.']]));
    expect(dialog.getAllByRole('img')).toHaveLength(1);
    server.use(http.delete('*/api/deals/d-1/pictures/:id', () => refusal(404, { code: 'not_found' }), { once: true }));
    await user.click(dialog.getByRole('button', { name: 'Remove picture 1' }));
    await waitFor(() => expect(dialog.queryByRole('img')).toBeNull());
    expect(said()).toHaveLength(1);
  });

  it('that was not uploaded says why, keeps the delivery from going without it, and is uploaded again', async () => {
    const first = failFirstUpload(HttpResponse.error());
    const { user, dialog, file, deliver } = await askToDeliver();
    await user.upload(file, photo());
    expect(await dialog.findByText('The picture was not uploaded.')).toBeVisible();
    await user.click(deliver);
    expect(await dialog.findByText('Some pictures were not uploaded. Try again or remove them.')).toBeVisible();
    expect(told.bodies).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Upload picture 1 again' }));
    await uploaded(1);
    // The first call may have arrived.
    expect(told.keys).toEqual([first.key]);
    expect(first.key).toMatch(/^[0-9a-f]{32}$/);
    await user.click(deliver);
    await waitFor(() => expect(told.bodies).toEqual([{ text: '', pictures: ['i-1'] }]));
  });

  it('that the server refuses is uploaded again under another key', async () => {
    const first = failFirstUpload(refusal(404, { code: 'not_found', reason: 'picture_not_found' }));
    const { user, dialog, file } = await askToDeliver();
    await user.upload(file, photo());
    await user.click(await dialog.findByRole('button', { name: 'Upload picture 1 again' }));
    await uploaded(1);
    expect(first.key).toMatch(/^[0-9a-f]{32}$/);
    expect(told.keys).not.toContain(first.key);
  });

  it('that is still on its way is waited for, and goes from the server when it is removed meanwhile', async () => {
    let answer: () => void = () => undefined;
    server.use(
      http.post('*/api/deals/d-1/pictures', async () => {
        await new Promise<void>((resume) => {
          answer = resume;
        });
        return HttpResponse.json({ picture: aPicture('i-slow') }, { status: 201 });
      }),
    );
    const { user, dialog, file, deliver } = await askToDeliver();
    await user.upload(file, photo());
    expect(await dialog.findByText('Uploading picture 1')).toBeInTheDocument();
    await user.click(deliver);
    expect(await dialog.findByText(/still being uploaded/)).toBeVisible();
    expect(told.bodies).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Remove picture 1' }));
    await waitFor(() => {
      answer();
      expect(told.removed).toEqual(['i-slow']);
    });
    expect(dialog.queryByText(/still being uploaded/)).toBeNull();
  });

  it('is pasted or dropped, and what is no picture or one too many is refused', async () => {
    const { user, dialog, text, file } = await askToDeliver();
    fireEvent.paste(text, { clipboardData: { files: [photo()], types: ['Files'] } });
    await uploaded(1);
    fireEvent.drop(text, {
      dataTransfer: { files: [photo(), new File(['x'], 'x.pdf', { type: 'application/pdf' })], types: ['Files'] },
    });
    await uploaded(2);
    expect(said()).toEqual([['error', 'Please select an image file!']]);
    await user.upload(
      file,
      Array.from({ length: 7 }, () => photo()),
    );
    await uploaded(8);
    expect(said()[1]).toEqual(['error', 'You can add at most 8 pictures.']);
    expect(dialog.queryByLabelText('Add pictures')).toBeNull();
  });

  it('that cannot be read is said to be so, and can only be removed', async () => {
    const { user, dialog, file } = await askToDeliver();
    await user.upload(file, photo('a.heic'));
    expect(await dialog.findByText(/This picture cannot be read here/)).toBeVisible();
    expect(dialog.queryByRole('button', { name: /again/ })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Remove picture 1' }));
    expect(dialog.queryByText(/This picture cannot be read here/)).toBeNull();
    expect(told.uploads).toBe(0);
  });
});
