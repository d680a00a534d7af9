import { fireEvent, render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { UserAvatar } from './user-avatar';

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
