import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, prepare } from './pictures/cast';
import type { Scene } from './pictures/scene';
import { scenes } from './pictures/scenes';
import { stage } from './pictures/stage';
import { launch } from './support/browser';

// Not a test: `make screenshots` takes a picture of every scene, with the demo's people and deals on it. ONLY=deal,login takes those whose
// names begin so.

const FOLDER = resolve(import.meta.dirname, '../screenshots');
const ONLY = process.env.ONLY?.split(',') ?? [''];

const WIDTHS = [1280, 360];
const LOOKS = [
  ['en', 'light'],
  ['en', 'dark'],
  ['bn', 'light'],
] as const;

let browser: Browser;
let demo: Demo;
beforeAll(async () => {
  browser = await launch();
  demo = await prepare(browser);
});
afterAll(() => browser.close());

describe.each(LOOKS)('%s %s', (language, theme) => {
  it.each(WIDTHS)('%i px', { timeout: 1_200_000 }, async (width) => {
    const folder = join(FOLDER, `${language}-${theme}-${width}`);
    if (ONLY.includes('')) await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const { show, close } = stage(browser, { language, theme, width });
    const take = async (scene: Scene) => {
      const page = await show(scene);
      await page.screenshot({ path: join(folder, `${scene.name}.png`), fullPage: scene.window !== true });
      await page.close();
    };
    const failed: string[] = [];
    for (const scene of Object.values(scenes(demo)).flat()) {
      if (!ONLY.some((prefix) => scene.name.startsWith(prefix))) continue;
      // One that does not come about must not cost the others their picture.
      await take(scene).catch((error: unknown) => failed.push(`${scene.name}: ${String(error)}`));
    }
    await close();
    expect(failed).toEqual([]);
  });
});
