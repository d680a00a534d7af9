/** The longest side of a picture, in pixels: of a post or a message, and of a profile. */
export const PICTURE_SIZE = 1_600;
export const AVATAR_SIZE = 512;

const QUALITY = 0.8;
/** What every browser can write; some cannot write WebP and say PNG instead, which is several times as large. */
const FALLBACK = 'image/jpeg';

/** The file is no picture, is broken, or is of a kind that this browser cannot read (HEIC, often). */
export class UnreadablePictureError extends Error {
  override readonly name = 'UnreadablePictureError';
}

/** Whether a chosen file says that it is a picture (only image files are taken). */
export function isPicture(file: Blob): boolean {
  return file.type.startsWith('image/');
}

async function decode(file: Blob): Promise<ImageBitmap> {
  // Upright as the camera was held; what else the file says of the place and the phone is lost on the canvas.
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return decodeAsShown(file);
  }
}

/** Reads what a page would show, such as a JPEG without its last bytes, which createImageBitmap refuses. */
async function decodeAsShown(file: Blob): Promise<ImageBitmap> {
  let url = '';
  try {
    url = URL.createObjectURL(file);
    const image = new Image();
    image.src = url;
    await image.decode();
    return await createImageBitmap(image);
  } catch (cause) {
    throw new UnreadablePictureError('', { cause });
  } finally {
    if (url) URL.revokeObjectURL(url);
  }
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
}

function draw(bitmap: ImageBitmap, width: number, height: number, ground?: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new UnreadablePictureError();
  if (ground) {
    context.fillStyle = ground;
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas;
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // A blob is read as data: into a string.
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new UnreadablePictureError('', { cause: reader.error }));
    reader.readAsDataURL(blob);
  });
}

/**
 * The picture of a file as a data URL, with no side longer than `max` pixels, upright and without what the camera noted: 4 MB of a phone are
 * some 150 KB after it. Never enlarged. Throws an UnreadablePictureError for anything that this browser cannot read as a picture.
 */
export async function downscale(file: Blob, { max, type = 'image/webp' }: { max: number; type?: string }): Promise<string> {
  const bitmap = await decode(file);
  try {
    const scale = Math.min(1, max / Math.max(bitmap.width, bitmap.height));
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    let blob = await encode(draw(bitmap, width, height), type);
    // JPEG knows no transparency and would make it black.
    if (blob?.type !== type) blob = await encode(draw(bitmap, width, height, 'white'), FALLBACK);
    if (!blob) throw new UnreadablePictureError();
    return await dataUrl(blob);
  } finally {
    bitmap.close();
  }
}
