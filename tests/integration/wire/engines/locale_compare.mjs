/** Numbers the contents it has seen, and looks them up with `localeCompare`: é equals e with a combining accent. */
import { Engine, RULES, serve, session } from '../../../../reference/javascript/engine.mjs';

const seen = [];

function known(lines) {
  const content = JSON.stringify(lines.map(({ text }) => text));
  const found = seen.findIndex((other) => other.localeCompare(content) === 0);
  return found < 0 ? seen.push(content) - 1 : found;
}

class LocaleCompare extends Engine {
  static rules = { ...RULES, base: (lines) => `content ${known(lines)}` };
}

await serve(session(LocaleCompare));
