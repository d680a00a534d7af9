const wait = globalThis.setTimeout; // not one that a test fakes

/** At night (SOAK=1), waits for a random time of up to `most` milliseconds. */
export async function slow(most: number): Promise<void> {
  if (process.env.SOAK) await new Promise<void>((resume) => wait(resume, Math.random() * most));
}
