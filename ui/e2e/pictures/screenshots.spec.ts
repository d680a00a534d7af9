import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Scene } from './scene';
import { scenes } from './scenes';
import { stage } from './stage';
import { expect, test } from './test';

// `make screenshots` takes a screenshot of every scene, with the demo's people and deals.
// ONLY=deal,login takes those whose names begin so. playwright.pictures.config.ts has a project per
// width, theme and language.

const FOLDER = resolve(import.meta.dirname, '../../screenshots');
const ONLY = process.env.ONLY?.split(',') ?? [''];
const PHONE = 768;
const isWanted = ({ name, wide }: Scene, width = PHONE) =>
  ONLY.some((prefix) => name.startsWith(prefix)) && !(wide && width < PHONE);

/** A project's folder, emptied if all screenshots are taken. */
async function folderOf(project: string): Promise<string> {
  const folder = join(FOLDER, project);
  if (ONLY.includes('')) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

test('screenshots of every scene', async ({ visit, look, demo }, { project }) => {
  test.setTimeout(1_200_000);
  const folder = await folderOf(project.name);
  const { show } = stage(visit, look);
  const take = async (scene: Scene) => {
    const page = await show(scene);
    await page.screenshot({ path: join(folder, `${scene.name}.png`), fullPage: scene.window !== true });
    await page.close();
  };
  const failed: string[] = [];
  // A scene that fails must not cost the others their screenshot.
  for (const scene of Object.values(scenes(demo))
    .flat()
    .filter((scene) => isWanted(scene, look.width)))
    await test.step(scene.name, () => take(scene).catch((error: unknown) => failed.push(`${scene.name}: ${String(error)}`)));
  expect(failed).toEqual([]);
});
