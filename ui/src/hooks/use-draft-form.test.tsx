import { useMutation } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { readDraft, textDraft } from '@/lib/draft';
import { ApiError } from '@/lib/errors';
import { notices } from '@/testing/recorded';
import { renderAlone } from '@/testing/render';
import { useDraftForm } from './use-draft-form';

const DRAFT = 'test:user';
const EMPTY = { name: '', city: '' };
const schema = z.object({
  name: z.string().check(z.minLength(1, 'Name is missing')),
  city: z.string().check(z.trim(), z.minLength(1, 'City is missing')),
});
const send = vi.fn<(values: typeof EMPTY) => Promise<unknown>>();
const refusal = (fields: Record<string, string>, code = 'validation') => new ApiError(400, { code, message: 'No.', fields });

/** City comes first on the page, Name first in the order of the rules. */
function Form() {
  const mutation = useMutation({ mutationFn: send, meta: { quiet: true } });
  const { form, submit, errorOf } = useDraftForm({
    schema,
    t: (key: string) => key,
    empty: EMPTY,
    draft: textDraft(DRAFT),
    server: { fields: { town: 'city' }, codes: { duplicate: 'name' } },
    mutation,
    onSubmit: (values) => mutation.mutateAsync(values),
  });
  return (
    <form onSubmit={submit}>
      <input aria-label="City" {...form.register('city')} />
      <p data-testid="city">{errorOf('city')}</p>
      <input aria-label="Name" {...form.register('name')} />
      <p data-testid="name">{errorOf('name')}</p>
      <button type="submit">Send</button>
    </form>
  );
}

const city = () => screen.getByLabelText('City');
const name = () => screen.getByLabelText('Name');
const draft = () => readDraft(DRAFT, EMPTY);

async function fillIn() {
  const { user, unmount } = renderAlone(<Form />);
  await user.type(name(), 'Nusrat');
  await user.type(city(), ' Dhaka');
  return { user, unmount, press: () => user.click(screen.getByRole('button')) };
}

beforeEach(() => {
  send.mockReset();
  send.mockResolvedValue({});
});

describe('a form', () => {
  it('names the first broken rule by order, focuses its field and marks all', async () => {
    const { user } = renderAlone(<Form />);
    await user.click(screen.getByRole('button'));
    await waitFor(() => expect(name()).toHaveFocus());
    expect(notices.map(({ kind, ...notice }) => [kind, 'text' in notice && notice.text])).toEqual([['error', 'Name is missing']]);
    expect(screen.getByTestId('name')).toHaveTextContent('Name is missing');
    expect(screen.getByTestId('city')).toHaveTextContent('City is missing');
    expect(send).not.toHaveBeenCalled();
  });

  it('keeps what is typed for the tab, and opens with it', async () => {
    const { unmount } = await fillIn();
    expect(draft()).toEqual({ name: 'Nusrat', city: ' Dhaka' });
    unmount();
    renderAlone(<Form />);
    expect(name()).toHaveValue('Nusrat');
    expect(city()).toHaveValue(' Dhaka');
  });

  it('sends what the schema made of it, and drops the draft when that has succeeded', async () => {
    const { press } = await fillIn();
    await press();
    await waitFor(() => expect(draft()).toEqual(EMPTY));
    expect(send.mock.calls[0]?.[0]).toEqual({ name: 'Nusrat', city: 'Dhaka' });
  });

  it('drops the draft when it is gone by then', async () => {
    let answer: (value: unknown) => void = () => undefined;
    send.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const { press, unmount } = await fillIn();
    await press();
    await waitFor(() => expect(send).toHaveBeenCalled());
    unmount();
    answer({});
    await waitFor(() => expect(draft()).toEqual(EMPTY));
  });

  it('loses nothing when it fails', async () => {
    send.mockRejectedValue(ApiError.network(null));
    const { press } = await fillIn();
    await press();
    await waitFor(() => expect(send).toHaveBeenCalledOnce());
    await press();
    await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
    expect(name()).toHaveValue('Nusrat');
    expect(draft()).toEqual({ name: 'Nusrat', city: ' Dhaka' });
  });

  it('shows what the server says of fields at them, and focuses the first', async () => {
    send.mockRejectedValue(refusal({ town: 'No such town.', name: 'No such name.', other: 'Elsewhere.' }));
    const { press } = await fillIn();
    await press();
    await waitFor(() => expect(name()).toHaveFocus());
    expect(screen.getByTestId('name')).toHaveTextContent('No such name.');
    expect(screen.getByTestId('city')).toHaveTextContent('No such town.');
  });

  it('shows a refusal without fields at the field that its code is about', async () => {
    send.mockRejectedValue(refusal({}, 'duplicate'));
    const { press } = await fillIn();
    await press();
    await waitFor(() => expect(screen.getByTestId('name')).toHaveTextContent('No.'));
    expect(screen.getByTestId('city')).toBeEmptyDOMElement();
  });

  it('ignores a second submit while the first is under way', async () => {
    send.mockReturnValue(new Promise(() => undefined));
    const { user, press } = await fillIn();
    await user.dblClick(screen.getByRole('button'));
    await press();
    await waitFor(() => expect(send).toHaveBeenCalled());
    expect(send).toHaveBeenCalledOnce();
  });
});
