const FACES = ['400 1em "Hanken Grotesk Variable"', '600 1em "Besley Variable"'];
const TIMEOUT_MS = 1_000;

/**
 * Waits for the two fonts that index.html preloads, so that the first text is set in them and
 * nothing moves later. On a slow line it gives up: the text matters more.
 */
export async function waitForFonts(): Promise<void> {
  const faces = Promise.allSettled(FACES.map((face) => document.fonts.load(face)));
  await Promise.race([faces, new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);
}
