import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';

const SYSTEM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

// In one process, the pages of one context send the cookies of another.
const SHARED = '--single-process';

/** The browser at CHROMIUM_PATH, else the system's, else the one that is installed with the packages. */
export async function launchOptions(): Promise<LaunchOptions> {
  const executablePath = process.env.CHROMIUM_PATH ?? SYSTEM.find((candidate) => existsSync(candidate));
  if (executablePath) return { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] };
  const { default: bundled } = await import('@sparticuz/chromium');
  return { executablePath: await bundled.executablePath(), args: bundled.args.filter((arg) => arg !== SHARED) };
}
