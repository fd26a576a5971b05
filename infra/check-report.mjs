/** What a long check prints: each thing that holds or fails, and what it is at, with the seconds since it began. */
export function checkReport() {
  const started = Date.now();
  let failed = 0;
  return {
    /** @param {string} what @param {boolean} ok @param {string} [problem] */
    report(what, ok, problem = '') {
      console.log(`${ok ? 'ok    ' : 'FAILED'} ${what}${ok || problem === '' ? '' : `\n${problem}`}`);
      if (!ok) failed += 1;
    },
    /** @param {string} line */
    say(line) {
      console.error(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}`);
    },
    hasFailed: () => failed > 0,
    /** Says how it ended, and ends the process with 1 where something failed. @returns {never} */
    end() {
      console.log(failed === 0 ? 'All checks passed.' : `${failed} checks failed.`);
      process.exit(failed === 0 ? 0 : 1);
    },
  };
}
