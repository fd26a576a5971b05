import type { Command } from 'commander';
import { addExamples } from '../options/add-command.js';
import { questionsThread } from '../questions-module.js';

export function addAnswerCommand(program: Command): void {
  addExamples(
    program
      .command('answer')
      .description(
        'Answer the requests of another program, frame by frame on standard input and output, until its standard input ends: what orchard-density for Python runs.',
      ),
    [['orchard answer', 'frames in, frames out']],
    `A frame is 8 bytes (two whole numbers of 32 bits, little-endian: the bytes of the JSON, and those of the parts behind it), a JSON object in
UTF-8, and parts: numbers as they lie in memory. {"$part": [KIND, OFFSET, BYTES]} in the JSON stands for a part, KIND is uint8, int32 or float64,
and offsets are multiples of 8. A frame has 1 GiB at most.

A request is {"id": …, "operation": …, …}, its answer {"id": …, "answer": {…}} or {"id": …, "error": {code, message, got, expected, where, remedy}}.
  open            "model": a path, or the file's bytes as uint8; answers what the model is, and its "model", by which the others ask
  close, describe, score, explain, sample, complete, probabilities, mostProbable, predict, associations, importance
                  "model", and what is asked; "rows" are {"count": N, "columns": [{"name", "numbers": float64} or {"name", "labels": […],
                  "places": int32}]}, of 0 and 1 {"count": N, "columns": [{"bits": uint8}]} row by row; NaN, place -1 and bit 2 are missing values
  scoreRows, completeRows
                  "model", and the question in JSON that the API of a coordinator takes: "rows" are objects or lists, null is a missing value
  run             "words": a command as ["train", "rows.csv", "--out", "run"]; {"id", "progress"} and {"id", "note"} come before the answer,
                  which is the document of --json
  cancel          "id" of the request that is to stop: it ends with the error "interrupted"
A model that is not open (any longer) is the error "missing". SIGTERM ends the process; a run that was under way has kept what is done.`,
  ).action(async () => {
    const [{ serveAnswers }, { runCommand }] = await Promise.all([
      import('@orchard/questions/answer'),
      import('../answer/run-command.js'),
    ]);
    const controller = new AbortController();
    const onSignal = (): void => controller.abort();
    process.once('SIGTERM', onSignal);
    process.once('SIGINT', onSignal);
    await serveAnswers(process.stdin, process.stdout, controller.signal, {
      thread: questionsThread,
      run: runCommand,
    });
    // a standard input that is open still would keep the process
    process.stdin.destroy();
  });
}
