import type { Dictionary } from '../texts';

const modules = import.meta.glob<Record<string, Dictionary>>(['./*.ts', '!./index.ts'], { eager: true });

/** All Bangla texts by the name of their catalogue. This module is the lazy Bangla chunk. */
export const bn: Record<string, Dictionary> = Object.fromEntries(
  Object.values(modules).flatMap((module) => Object.entries(module)),
);
