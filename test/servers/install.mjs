// npm run servers                     which Redis and which S3 server the tests would use; gets what is missing
// npm run servers -- install minio    gets one of valkey, versitygw and minio into the cache
import { getProgram, recipes } from './get.mjs';
import { findRedis, findS3, ServerUnavailable } from './index.mjs';

const [command, program, ...rest] = process.argv.slice(2);
try {
  if (command === 'install' && program && Object.hasOwn(recipes, program) && rest.length === 0) {
    console.log(await getProgram(/** @type {import('./get.mjs').Program} */ (program), console.error));
  } else if (command === undefined) {
    console.log(`redis  ${(await findRedis()).what}`);
    console.log(`s3     ${(await findS3()).what}`);
  } else {
    console.error(`Usage: npm run servers [-- install ${Object.keys(recipes).join('|')}]`);
    process.exitCode = 2;
  }
} catch (error) {
  if (!(error instanceof ServerUnavailable)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
