const FACES = ['400 1em "Hanken Grotesk Variable"', '600 1em "Besley Variable"'];
const PATIENCE_MS = 1_000;

/**
 * Waits for the two faces of every page, which index.html preloads beside the scripts, so that the first text is already set in them and
 * nothing moves when they arrive. Not for ever: on a very slow line the words matter more than the face.
 */
export async function waitForFonts(): Promise<void> {
  const faces = Promise.allSettled(FACES.map((face) => document.fonts.load(face)));
  await Promise.race([faces, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
