import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { UserAvatar } from './user-avatar';
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

const shown = (avatar: React.ReactElement) => render(avatar).container;
const srcOf = (avatar: React.ReactElement) => shown(avatar).querySelector('img')?.getAttribute('src');

describe('the picture of a person', () => {
  it.each([
    ['sm', '/api/images/i-1?w=96'],
    ['default', '/api/images/i-1?w=96'],
    ['lg', '/api/images/i-1?w=320'],
    ['xl', '/api/images/i-1?w=320'],
  ] as const)('is asked for as wide as size %s needs', (size, src) => {
    expect(srcOf(<UserAvatar name="nusrat" picture="/api/images/i-1" size={size} />)).toBe(src);
  });

  it('is shown as it was chosen before the server has it', () => {
    expect(srcOf(<UserAvatar name="nusrat" picture="data:image/webp;base64,AA" />)).toBe('data:image/webp;base64,AA');
  });

  it('gives way to the first letter where it does not come', () => {
    const place = shown(<UserAvatar name="nusrat" picture="/api/images/i-1" />);
    const picture = place.querySelector('img');
    if (picture) fireEvent.error(picture);
    expect(place.querySelector('img')).toBeNull();
    expect(place).toHaveTextContent('N');
  });
});
