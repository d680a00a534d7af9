import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { PendingButton } from './pending-button';

describe('a button whose work is under way', () => {
  it('is called what it does while it has no other text', () => {
    render(
      <PendingButton pending pendingText={null}>
        Show more
      </PendingButton>,
    );
    expect(screen.getByText('Show more')).not.toHaveClass('invisible');
  });

  it('is called what it is doing where it says so', () => {
    render(
      <PendingButton pending pendingText="Sending…">
        Send
      </PendingButton>,
    );
    expect(screen.getByText('Send')).toHaveClass('invisible');
    expect(screen.getByText('Sending…')).toBeVisible();
  });
});
