import { showPushes } from './push';
import type { Build, Scope } from './scope';
import { serveShell } from './shell';

/** Defined by the build. */
declare const BUILD: Build;

const scope = globalThis as unknown as Scope;
serveShell(scope, BUILD);
showPushes(scope);
