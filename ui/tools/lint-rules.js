import { noLiteralText } from './no-literal-text.js';
import { noTraps } from './no-traps.js';
import { walls } from './walls.js';

/** The rules of this project for oxlint. */
export default {
  meta: { name: 'local' },
  rules: { 'no-literal-text': noLiteralText, 'no-traps': noTraps, walls },
};
