import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createRef } from 'react';
import { expect, it, vi } from 'vitest';
import { Checkbox } from './checkbox';

it('is partly checked where it stands for some of many, and then tells what it became', async () => {
  const became = vi.fn();
  const ref = createRef<HTMLInputElement>();
  render(<Checkbox ref={ref} aria-label="All rows" checked="indeterminate" onCheckedChange={became} />);
  const box = screen.getByRole('checkbox', { name: 'All rows' });
  expect(ref.current).toBe(box);
  expect(box).toBePartiallyChecked();
  await userEvent.click(box);
  expect(became).toHaveBeenCalledExactlyOnceWith(true);
});
