import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { NotificationPicture } from './notifications-panel';

const labelOf = (kind: string) =>
  render(<NotificationPicture kind={kind} />)
    .container.querySelector('[role="img"]')
    ?.getAttribute('aria-label') ?? null;

describe('the picture of a deal’s notice', () => {
  it('has the money back with the buyer where the seller’s account was suspended', () => {
    expect(labelOf('deal_seller_disabled')).toBe(labelOf('deal_buyer_left'));
    expect(labelOf('deal_seller_disabled')).not.toBe(labelOf('deal_paid'));
  });

  it('has no place for the money where it may not be paid yet', () => {
    expect(labelOf('deal_accepted')).toBeNull();
    expect(labelOf('deal_counteroffer')).toBeNull();
    expect(labelOf('deal_counteroffer_accepted')).toBeNull();
    expect(labelOf('deal_completed')).not.toBeNull();
  });
});
