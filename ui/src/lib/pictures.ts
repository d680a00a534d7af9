/** The longest side in pixels, of pictures in posts and messages, and of avatars. */
export const PICTURE_SIZE = 1_600;
export const AVATAR_SIZE = 512;

const QUALITY = 0.8;
/** Some browsers cannot write WebP and produce PNG, which is several times as large. */
const FALLBACK = 'image/jpeg';

/** The file is no picture, is broken, or has a format this browser cannot read (often HEIC). */
export class UnreadablePictureError extends Error {
  override readonly name = 'UnreadablePictureError';
}

export function isPicture(file: Blob): boolean {
  return file.type.startsWith('image/');
}

async function decode(file: Blob): Promise<ImageBitmap> {
  // Applies the camera's orientation. Drawing on the canvas drops place and device.
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return decodeAsShown(file);
  }
}

/** Decodes files that a page would show but createImageBitmap refuses, such as a truncated JPEG. */
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
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new UnreadablePictureError('', { cause: reader.error }));
    reader.readAsDataURL(blob);
  });
}

/**
 * Returns the picture as a data URL, upright, without metadata, and with no side longer than `max`
 * pixels: 4 MB from a phone become some 150 KB. It never enlarges. Throws an
 * UnreadablePictureError.
 */
export async function downscale(file: Blob, { max, type = 'image/webp' }: { max: number; type?: string }): Promise<string> {
  const bitmap = await decode(file);
  try {
    const scale = Math.min(1, max / Math.max(bitmap.width, bitmap.height));
    const width = Math.max(1, Math.round(bitmap.width * scale));
    const height = Math.max(1, Math.round(bitmap.height * scale));
    let blob = await encode(draw(bitmap, width, height), type);
    // JPEG has no transparency, which would become black.
    if (blob?.type !== type) blob = await encode(draw(bitmap, width, height, 'white'), FALLBACK);
    if (!blob) throw new UnreadablePictureError();
    return await dataUrl(blob);
  } finally {
    bitmap.close();
  }
}
