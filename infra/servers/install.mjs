// npm run servers                     which Redis and which S3 server the tests would use; gets what is missing
// npm run servers -- install minio    gets one of valkey, versitygw and minio into the cache
import { readCommandLine } from '../command-line.mjs';
import { getProgram, recipes } from './get.mjs';
import { findRedis, findS3, ServerUnavailable } from './index.mjs';

const programs = Object.keys(recipes);
const usage = `npm run servers [-- install NAME]

  without a command  which Redis and which S3 server the tests would use; gets what is missing
  install NAME       gets one of ${programs.join(', ')} into the cache, and prints where it is`;

const { positionals, refuse } = readCommandLine('servers', usage, {}, { allowPositionals: true });
const [command, program = '', ...rest] = positionals;
try {
  if (command === undefined) {
    console.log(`redis  ${(await findRedis()).what}`);
    console.log(`s3     ${(await findS3()).what}`);
  } else if (command === 'install' && programs.includes(program) && rest.length === 0) {
    console.log(await getProgram(/** @type {import('./get.mjs').Program} */ (program), console.error));
  } else {
    refuse(`got ${positionals.join(' ')}, expected install and one of ${programs.join(', ')}.`);
  }
} catch (error) {
  if (!(error instanceof ServerUnavailable)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
