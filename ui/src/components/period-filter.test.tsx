import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { PeriodFilter } from './period-filter';

it('says what is wrong with a range where the focus goes, and aloud', async () => {
  const user = userEvent.setup();
  const onPeriod = vi.fn();
  render(<PeriodFilter period={{}} onPeriod={onPeriod} />);
  await user.click(screen.getByRole('button', { name: 'Custom' }));
  const [first, last] = [screen.getByLabelText('First day'), screen.getByLabelText('Last day')];
  const [saidOfFirst, saidOfLast] = screen.getAllByRole('status');
  const show = () => user.click(screen.getByRole('button', { name: 'Show' }));

  await show();
  expect(first).toHaveFocus();
  expect(saidOfFirst).toHaveTextContent(/^Choose/);
  expect(first).toHaveAccessibleDescription(saidOfFirst?.textContent);

  await user.type(first, '2026-11-09');
  await user.type(last, '2026-11-08');
  await show();
  expect(last).toHaveFocus();
  expect(saidOfLast).toHaveTextContent(/before the first/);
  expect(onPeriod).not.toHaveBeenCalled();
});
