import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Combobox } from './combobox';

const NAMES = Array.from({ length: 10 }, (_, index) => `person-${index}`);

it('takes no Enter that ends a word of a phonetic keyboard, in Safari either', async () => {
  const onChoose = vi.fn();
  const user = userEvent.setup();
  render(
    <Combobox
      label="Who"
      text="person"
      onText={() => undefined}
      options={NAMES}
      keyOf={(name) => name}
      render={(name) => name}
      onChoose={onChoose}
      listLabel="Users found"
      status=""
    />,
  );
  const field = screen.getByRole('combobox');
  await user.click(field);
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
  expect(onChoose).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onChoose).toHaveBeenCalledWith('person-0');
});

it('brings the option that a key marks into sight, and leaves the list where the pointer is', async () => {
  const seen: Element[] = [];
  Element.prototype.scrollIntoView = vi.fn(function (this: Element) {
    seen.push(this);
  });
  const user = userEvent.setup();
  render(
    <Combobox
      label="Who"
      text="person"
      onText={() => undefined}
      options={NAMES}
      keyOf={(name) => name}
      render={(name) => name}
      onChoose={() => undefined}
      listLabel="Users found"
      status=""
    />,
  );
  const field = screen.getByRole('combobox');
  await user.click(field);
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(field).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id);
  expect(seen.at(-1)).toBe(screen.getByRole('option', { name: 'person-2' }));
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(seen.at(-1)).toBe(screen.getByRole('option', { name: 'person-9' }));
  seen.length = 0;
  await user.hover(screen.getByRole('option', { name: 'person-4' }));
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('person-4');
  expect(seen).toEqual([]);
});
