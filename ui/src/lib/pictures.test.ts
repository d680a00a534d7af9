import { beforeEach, describe, expect, it, vi } from 'vitest';
import { downscale, isPicture, UnreadablePictureError } from './pictures';

type Drawn = { width: number; height: number; ground: string | null };

/**
 * Replaces what jsdom lacks: a decoder for a picture of this size, and canvases that write these
 * types.
 */
function browserWith(size: { width: number; height: number } | null, writes: readonly string[]) {
  const close = vi.fn();
  const drawn: Drawn[] = [];
  vi.stubGlobal('createImageBitmap', () =>
    size ? Promise.resolve({ ...size, close }) : Promise.reject(new DOMException('The source image could not be decoded.')),
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    const context = {
      fillStyle: '',
      ground: null as string | null,
      fillRect: () => {
        context.ground = context.fillStyle;
      },
      drawImage: (_bitmap: unknown, _x: number, _y: number, width: number, height: number) => {
        expect([this.width, this.height]).toEqual([width, height]);
        drawn.push({ width, height, ground: context.ground });
      },
    };
    return context as unknown as CanvasRenderingContext2D;
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((callback, type = 'image/png') => {
    callback(new Blob(['pixels'], { type: writes.includes(type) ? type : 'image/png' }));
  });
  return { close, drawn };
}

const photo = new File(['raw'], 'photo.jpg', { type: 'image/jpeg' });
const WEBP = ['image/webp', 'image/jpeg'];
const PIXELS = btoa('pixels');

beforeEach(() => vi.restoreAllMocks());

describe('downscale', () => {
  it('reads a picture that only an element can show', async () => {
    const bitmap = { width: 800, height: 600, close: vi.fn() };
    const { drawn } = browserWith(null, WEBP);
    vi.stubGlobal('createImageBitmap', (source: unknown) =>
      source instanceof HTMLImageElement
        ? Promise.resolve(bitmap)
        : Promise.reject(new DOMException('The source image could not be decoded.')),
    );
    const revoked = vi.fn();
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:photo', revokeObjectURL: revoked }));
    HTMLImageElement.prototype.decode = () => Promise.resolve();
    expect(await downscale(photo, { max: 1600 })).toBe(`data:image/webp;base64,${PIXELS}`);
    expect(drawn).toEqual([{ width: 800, height: 600, ground: null }]);
    expect(revoked).toHaveBeenCalledWith('blob:photo');
  });

  it.each([
    [
      { width: 4000, height: 3000 },
      { width: 1600, height: 1200 },
    ],
    [
      { width: 3000, height: 4000 },
      { width: 1200, height: 1600 },
    ],
    [
      { width: 9000, height: 2 },
      { width: 1600, height: 1 },
    ],
    [
      { width: 640, height: 480 },
      { width: 640, height: 480 },
    ],
  ])('makes %o at most 1600 pixels long: %o', async (size, expected) => {
    const { drawn, close } = browserWith(size, WEBP);
    expect(await downscale(photo, { max: 1600 })).toBe(`data:image/webp;base64,${PIXELS}`);
    expect(drawn).toEqual([{ ...expected, ground: null }]);
    expect(close).toHaveBeenCalledOnce();
  });

  it('writes JPEG on white where the browser cannot write WebP', async () => {
    const { drawn } = browserWith({ width: 800, height: 400 }, ['image/jpeg']);
    expect(await downscale(photo, { max: 512 })).toBe(`data:image/jpeg;base64,${PIXELS}`);
    expect(drawn.at(-1)).toEqual({ width: 512, height: 256, ground: 'white' });
  });

  it('writes the type that is asked for', async () => {
    browserWith({ width: 8, height: 8 }, WEBP);
    expect(await downscale(photo, { max: 512, type: 'image/jpeg' })).toBe(`data:image/jpeg;base64,${PIXELS}`);
  });

  it('says of a file that cannot be read that it cannot', async () => {
    browserWith(null, WEBP);
    await expect(downscale(photo, { max: 1600 })).rejects.toBeInstanceOf(UnreadablePictureError);
  });

  it('lets go of the pixels when they cannot be written', async () => {
    const { close } = browserWith({ width: 8, height: 8 }, WEBP);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((callback) => callback(null));
    await expect(downscale(photo, { max: 1600 })).rejects.toBeInstanceOf(UnreadablePictureError);
    expect(close).toHaveBeenCalledOnce();
  });
});

it('takes a file for a picture that says it is one', () => {
  expect(isPicture(photo)).toBe(true);
  expect(isPicture(new File(['%PDF'], 'photo.jpg', { type: 'application/pdf' }))).toBe(false);
});
