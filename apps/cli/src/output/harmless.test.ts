import { describe, expect, it } from 'vitest';
import { table } from './figures.js';
import { harmless, harmlessJson, harmlessLine } from './harmless.js';
import { Terminal } from './terminal.js';

const hostile = 'age\u001b]0;owned\u0007\u009b2J\r\u202edesrever';
const shown = 'age\\u001b]0;owned\\u0007\\u009b2J\\u000d\\u202edesrever';

describe('text that a file or a server names', () => {
  it('is shown instead of obeyed, and layout stays', () => {
    expect(harmless(`${hostile}\n\tnext`)).toBe(`${shown}\n\tnext`);
    expect(harmless('Größe → 年齢 ░ é')).toBe('Größe → 年齢 ░ é');
  });

  it('begins no line where it stands within one', () => {
    expect(harmlessLine('a\norchard: all is well')).toBe('a\\u000aorchard: all is well');
    expect(table(['column'], [['a\nb']])).toBe('column\na\\u000ab');
  });

  it('is the same document in JSON', () => {
    const text = harmlessJson({ [hostile]: hostile });
    expect(harmless(text)).toBe(text);
    expect(JSON.parse(text)).toEqual({ [hostile]: hostile });
  });
});

describe('a terminal', () => {
  const written = async (isTTY: boolean, json: boolean): Promise<{ out: string; err: string }> => {
    const text = { out: '', err: '' };
    const out = { isTTY, write: (more: string) => (text.out += more).length > 0 };
    const err = { isTTY, write: (more: string) => (text.err += more).length > 0 };
    const terminal = new Terminal({ json, quiet: false }, out, err);
    terminal.result(hostile);
    await terminal.data([new TextEncoder().encode(hostile)]);
    terminal.document({ name: hostile });
    terminal.note(hostile);
    terminal.status(`${hostile}\n`);
    terminal.complain(hostile);
    return text;
  };

  it('is sent nothing of it, by no way that leads there', async () => {
    for (const json of [false, true]) {
      const { out, err } = await written(true, json);
      // what redraws the line of the progress is ours
      const named = out + err.replaceAll('\r\u001b[K', '');
      expect(harmless(named)).toBe(named);
      expect(named).toContain(shown);
    }
  });

  it('is one thing, data for a program another: they stay as they are', async () => {
    const { out } = await written(false, false);
    expect(out).toBe(`${shown}\n${hostile}`);
  });
});

it('data wait for a reader that is behind', async () => {
  const waiting: (() => void)[] = [];
  let text = '';
  const terminal = new Terminal(
    { json: false, quiet: true },
    {
      write: (more) => {
        text += more;
        return false;
      },
      once: (_, listener) => waiting.push(listener),
    },
  );
  const whole = terminal.data(['a', 'b'].map((piece) => new TextEncoder().encode(piece)));
  const state = () => ({ text, waiting: waiting.length });
  await expect.poll(state).toEqual({ text: 'a', waiting: 1 });
  waiting[0]!();
  await expect.poll(state).toEqual({ text: 'ab', waiting: 2 });
  waiting[1]!();
  await whole;
});
