import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAllowed, lifecycle, lifeOf, type Decision, type Life, type Mark, type MarkKind } from './lifecycle.js';
import { specificationOf } from './specification.suite.js';

const specification = specificationOf(0);
const refitted = { selection: 'linearized', refit: true } as const;
const plain = { selection: 'common', refit: false } as const;
const decisions: Record<string, Decision> = {
  submit: { kind: 'submit', specification, choice: refitted },
  other: { kind: 'submit', specification, choice: plain },
  select: { kind: 'select', choice: plain },
  cancel: { kind: 'cancel' },
  resume: { kind: 'resume' },
  delete: { kind: 'delete' },
  removed: { kind: 'removed' },
  done: { kind: 'done' },
  failed: { kind: 'failed', reason: 'no luck' },
};

function life(...words: string[]): Life | null {
  return lifeOf(
    words.map((word, id) => [id, { ...decisions[word]!, id: String(id), at: `time ${id}` } as Mark] as const),
  );
}

test('a run that was never submitted has no life, whatever else was marked', () => {
  expect(life()).toBeNull();
  expect(life('cancel', 'resume', 'removed', 'done', 'select')).toBeNull();
});

test('submitted, done, and opened again by asking for another network', () => {
  expect(life('submit')).toMatchObject({ standing: 'open', epoch: 0, choices: [refitted], submittedAt: 'time 0' });
  expect(life('submit', 'done')).toMatchObject({ standing: 'done', epoch: 0 });
  expect(life('submit', 'done', 'select')).toMatchObject({
    standing: 'open',
    choices: [refitted, plain],
    choice: plain,
  });
  expect(life('submit', 'done', 'submit')).toMatchObject({ standing: 'open', choices: [refitted], epoch: 0 });
});

test('a failed run says why, until it is resumed in a new epoch', () => {
  expect(life('submit', 'failed')).toMatchObject({ standing: 'failed', reason: 'no luck' });
  expect(life('submit', 'failed', 'resume')).toMatchObject({ standing: 'open', reason: null, epoch: 2 });
  expect(life('submit', 'failed', 'submit')).toMatchObject({ standing: 'open', epoch: 2 });
});

test('cancelled until it is resumed or submitted again; an end marked late changes nothing', () => {
  expect(life('submit', 'cancel', 'done')?.standing).toBe('cancelled');
  expect(life('submit', 'cancel', 'select')?.standing).toBe('cancelled');
  expect(life('submit', 'cancel', 'resume')?.standing).toBe('open');
  expect(life('submit', 'done', 'cancel')?.standing).toBe('done');
});

test('deleted, it starts anew: earlier choices and attempts are forgotten', () => {
  expect(life('submit', 'delete', 'submit')?.standing).toBe('deleting');
  expect(life('submit', 'delete', 'removed')).toBeNull();
  expect(life('submit', 'delete', 'removed', 'resume')).toBeNull();
  expect(life('submit', 'delete', 'removed', 'other')).toMatchObject({
    standing: 'open',
    choices: [plain],
    epoch: 3,
    submittedAt: 'time 3',
  });
});

test('a mark that says no specification goes on with the one before, and begins nothing where there is none', () => {
  const again = { kind: 'submit', specification: null, choice: plain, id: '', at: '' } as const;
  const first = { kind: 'submit', specification, choice: refitted, id: '', at: '' } as const;
  expect(lifeOf([[0, again]])).toBeNull();
  expect(
    lifeOf([
      [0, first],
      [1, again],
    ]),
  ).toMatchObject({ specification, choices: [refitted, plain], choice: plain });
});

test('what was asked for twice is asked for once, however it is spelled', () => {
  const turned = { refit: true, selection: 'linearized' };
  const marks = [refitted, turned].map(
    (choice, id) => [id, { kind: 'submit', specification, choice, id: '', at: '' } as Mark] as const,
  );
  expect(lifeOf(marks)!.choices).toEqual([refitted]);
});

test('a run that failed by damage names what is damaged, until it is opened again', () => {
  const of = (...marks: Decision[]): Life | null =>
    lifeOf(marks.map((mark, number) => [number, { ...mark, id: '', at: '' } as Mark] as const));
  const failed: Decision = { kind: 'failed', reason: 'bits', damaged: ['runs/a/conditionals/3'] };
  expect(of(decisions.submit!, failed)!.damaged).toEqual(['runs/a/conditionals/3']);
  expect(of(decisions.submit!, failed, { kind: 'resume' })!.damaged).toEqual([]);
});

test('every cell of the table is what the marks do, and an empty one changes nothing', () => {
  const ways = {
    none: [],
    open: ['submit'],
    done: ['submit', 'done'],
    failed: ['submit', 'failed'],
    cancelled: ['submit', 'cancel'],
    deleting: ['submit', 'delete'],
  };
  for (const kind of Object.keys(lifecycle) as MarkKind[]) {
    for (const [standing, words] of Object.entries(ways)) {
      const before = life(...words);
      expect(before?.standing ?? 'none').toBe(standing);
      const cell = lifecycle[kind][standing as keyof typeof ways];
      const now = life(...words, kind);
      expect([kind, standing, now?.standing ?? 'none']).toEqual([kind, standing, (cell ?? standing).replace('*', '')]);
      expect(isAllowed(before, kind)).toBe(cell !== undefined);
      if (cell === undefined) expect(now).toEqual(before);
      else if (now !== null) expect(now.epoch).toBe(cell === 'open*' ? words.length : before!.epoch);
    }
  }
});

test('an epoch is always the number of a mark that was made, and never goes back', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...Object.keys(decisions)), { maxLength: 30 }), (words) => {
      let before = -1;
      for (let count = 1; count <= words.length; count++) {
        const now = life(...words.slice(0, count));
        if (now === null) continue;
        expect(now.epoch).toBeGreaterThanOrEqual(before);
        expect(now.epoch).toBeLessThan(count);
        before = now.epoch;
      }
    }),
  );
});
