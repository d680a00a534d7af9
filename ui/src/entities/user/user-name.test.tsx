import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { UserName } from './user-name';

describe('a name', () => {
  it.each([false, true])('has the mark of staff for Amanat’s own people alone (truncate: %s)', (truncate) => {
    const { rerender } = render(<UserName user={{ username: 'sadia', isStaff: true }} truncate={truncate} />);
    expect(screen.getByRole('img', { name: 'Amanat staff' })).toBeVisible();
    expect(screen.getByText('sadia')).toBeVisible();
    rerender(<UserName user={{ username: 'Amanat-staff', isStaff: false }} truncate={truncate} />);
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.getByText('Amanat-staff')).toBeVisible();
  });

  it.each([false, true])('of a closed account says so (truncate: %s)', (truncate) => {
    render(<UserName user={{ username: 'deleted-4f7k2m9q', isStaff: false, closed: true }} truncate={truncate} />);
    expect(screen.getByTitle('Closed account')).toHaveTextContent('deleted-4f7k2m9q');
  });
});
