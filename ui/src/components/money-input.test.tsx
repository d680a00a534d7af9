import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { MoneyInput } from './money-input';

function Price() {
  const [value, setValue] = useState('');
  return <MoneyInput label="Price" value={value} onValue={setValue} />;
}

async function type(text: string) {
  render(<Price />);
  const field = screen.getByRole('textbox', { name: 'Price' });
  await userEvent.type(field, text);
  return field;
}

const ADVICE = 'Type the amount in digits, such as 1250.50.';

describe('an amount field', () => {
  it.each([
    ['12,50', '12.50'],
    ['1,00,000', '100000'],
    ['১,২৩৪.৫', '1234.50'],
    ['$480', '480'],
    ['12.5', '12.5'],
  ])('shows %s as it was read when it is left', async (text, shown) => {
    const field = await type(text);
    await userEvent.tab();
    expect(field).toHaveValue(shown);
    expect(field).toBeValid();
  });

  it.each(['500-600', '12.345', '-5', '1e3', '1.234', '৳500'])('keeps %s and says what to type', async (text) => {
    const field = await type(text);
    expect(screen.queryByText(ADVICE)).not.toBeInTheDocument(); // not while typing
    await userEvent.tab();
    expect(field).toHaveValue(text);
    expect(field).toHaveAccessibleDescription(ADVICE);
    expect(field).toBeInvalid();
  });
});
