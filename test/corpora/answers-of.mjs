// A program that answers questions, a line of JSON each, and is started anew where a question ends it or takes too long.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * @param {readonly string[]} command
 * @param {readonly object[]} questions
 * @param {number} seconds that a question may take
 * @returns {Promise<Record<string, unknown>[]>} an answer each; `{ broken }` with the reason where there was none
 */
export async function answersOf(command, questions, seconds) {
  const answers = [];
  while (answers.length < questions.length) {
    const before = answers.length;
    const broken = await ask(command, questions.slice(before), seconds, (answer) => answers.push(answer));
    // the question at hand is the one that ended it
    if (broken !== null) answers.push({ broken });
    else if (answers.length === before) throw new Error(`${command.join(' ')} answers nothing`);
  }
  return answers;
}

async function ask([program, ...args], questions, seconds, onAnswer) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  // what it does not take any more is asked again
  child.stdin.on('error', () => undefined);
  let isLate = false;
  let left = questions.length;
  let timer = null;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, 1000 * seconds);
  };
  wait();
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = wholeAnswer(line);
    // one that was ended while it wrote
    if (answer === null) break;
    onAnswer(answer);
    left--;
    wait();
  }
  const code = await ended;
  clearTimeout(timer);
  if (left === 0) return null;
  return isLate ? `took more than ${seconds} seconds` : `ended the process (${code ?? 'by a signal'})`;
}

function wholeAnswer(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
