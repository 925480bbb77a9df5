// What `hexlens call` prints does not command the terminal.
import { expect, test } from 'vitest';
import { stringifyForTerminal } from '../../../src/cli/callCommand.ts';

test.each(['\u009b31m', '\u202e', '\u001b[2J', '\u2028', '\u200b', '\u{e0001}', '\u007f', '\r'])(
  'escapes %j of a name from the chain',
  character => {
    const value = { name: `Coin${character}x` };
    const printed = stringifyForTerminal(value);
    expect(printed).toMatch(/^[ -~]*$/);
    expect(JSON.parse(printed)).toEqual(value);
  },
);
