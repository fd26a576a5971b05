// Base images that cannot be pulled, made of packages of the same programs and named as the originals: Debian's minimal
// system with Node's own binary or Debian's Redis, BusyBox with the Go builds of the S3 servers. They stand in for a
// check on this machine and are never published.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../servers/environment.mjs';
import { getProgram } from '../servers/get.mjs';
import { getNode, getNpm } from './node.mjs';
import { run } from './run.mjs';

const debian = 'localhost/orchard-check/debian:bookworm';
const certificates = '/etc/ssl/certs/ca-certificates.crt';

/**
 * @typedef {import('./engine.mjs').Engine} Engine
 *
 * @typedef {object} Bench where stand-ins are made
 * @property {Engine} engine
 * @property {string} cache a folder for what is got once
 * @property {(line: string) => void} say
 */

/** The stand-in that is made for an image, by the image's name. The first that fits. */
const recipes = [
  { of: /(^|\/)node:(?<version>[\d.]+)-/, make: makeNode },
  { of: /(^|\/)redis:/, make: makeRedis },
  { of: /\/minio:/, make: makeMinio },
  { of: /\/versitygw:/, make: makeVersitygw },
];

/**
 * Sees to it that the engine has an image: has it already, pulls it, or makes a stand-in.
 *
 * @param {string} image
 * @param {Bench} bench
 * @returns {Promise<'present' | 'pulled' | 'stand-in'>}
 */
export async function provide(image, bench) {
  const { engine, say } = bench;
  const has = await engine.run(['image', 'inspect', fullName(image)]).then(
    () => true,
    () => false,
  );
  if (has) return 'present';
  const refusal = await engine.run(['pull', '--quiet', fullName(image)]).then(
    () => null,
    (/** @type {Error} */ error) => error,
  );
  if (refusal === null) return 'pulled';
  const recipe = recipes.find(({ of }) => of.test(image));
  if (!recipe)
    throw new Error(`The image ${image} cannot be pulled, and there is no stand-in for it.\n${refusal.message}`);
  say(`making a stand-in for ${image}, which cannot be pulled`);
  await recipe.make(image, bench, recipe.of.exec(image)?.groups?.version ?? '');
  return 'stand-in';
}

/** With the registry that the short names of a Dockerfile and of compose mean. @param {string} image */
export function fullName(image) {
  const [first = ''] = image.split('/');
  if (!image.includes('/')) return `docker.io/library/${image}`;
  return first.includes('.') || first === 'localhost' ? image : `docker.io/${image}`;
}

/** @param {string} image @param {Bench} bench @param {string} version */
async function makeNode(image, bench, version) {
  await provideDebian(bench);
  const node = await getNode(bench.cache, version);
  const npm = await getNpm(bench.cache, '11.19.1');
  await build(image, bench, (context) => {
    copyFileSync(node, join(context, 'node'));
    cpSync(npm, join(context, 'npm'), { recursive: true });
    // a machine's own certificates, for a registry that is reached through a proxy
    copyFileSync(certificates, join(context, 'certificates'));
    return [
      `FROM ${debian}`,
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      `COPY certificates ${certificates}`,
      `ENV NODE_EXTRA_CA_CERTS=${certificates}`,
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\',
      ' && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \\',
      ' && useradd --uid 1000 --user-group --create-home node',
    ];
  });
}

/**
 * Sees to it that Node's image is there for amd64 and for arm64 under one tag.
 *
 * @param {string} tag
 * @param {Bench} bench
 * @returns {Promise<string>} the tag
 */
export async function onBothPlatforms(tag, bench) {
  const { engine, say } = bench;
  const original = fullName(`node:${tag}`);
  const pulled = await engine.run(['pull', '--quiet', '--platform', 'linux/arm64', original]).then(
    () => true,
    () => false,
  );
  if (pulled) return tag;
  if (engine.kind !== 'podman')
    throw new Error(`${original} cannot be pulled for arm64, and only podman is given a stand-in.`);
  const arm64 = `localhost/orchard-check/node-arm64:${tag}`;
  const list = fullName(`node:${tag}-both`);
  const has = await engine.run(['image', 'exists', arm64]).then(
    () => true,
    () => false,
  );
  if (!has) {
    say(`making a stand-in for ${original} of arm64`);
    await makeArm64(arm64, bench, tag.split('-')[0] ?? '');
  }
  await engine.run(['manifest', 'rm', list]).catch(() => undefined);
  await engine.run(['manifest', 'create', list]);
  for (const image of [original, arm64]) await engine.run(['manifest', 'add', list, `containers-storage:${image}`]);
  return `${tag}-both`;
}

/**
 * Node's binary for arm64 and the three libraries that it is linked to, out of Debian's packages: nothing is installed,
 * which would take an emulation.
 *
 * @param {string} image
 * @param {Bench} bench
 * @param {string} version
 */
async function makeArm64(image, bench, version) {
  const node = await getNode(bench.cache, version, 'arm64');
  const system = mkdtempSync(join(bench.cache, 'arm64-'));
  try {
    const [debootstrap, ...flags] = [onPath('debootstrap'), '--download-only', '--variant=minbase', '--arch=arm64'];
    if (!debootstrap) throw new Error('A stand-in is made by debootstrap. Install it: apt-get install debootstrap');
    await run(debootstrap, [...flags, 'bookworm', join(system, 'packages'), ...mirrorOfApt()]);
    const archives = join(system, 'packages/var/cache/apt/archives');
    const files = join(system, 'files');
    for (const folder of ['proc', 'dev', 'sys', 'tmp', 'etc', 'usr/local/bin']) {
      mkdirSync(join(files, folder), { recursive: true });
    }
    for (const library of ['libc6', 'libgcc-s1', 'libstdc++6']) {
      const archive = readdirSync(archives).find((name) => name.startsWith(`${library}_`));
      await run('dpkg-deb', ['--extract', join(archives, archive ?? library), files]);
    }
    copyFileSync(node, join(files, 'usr/local/bin/node'));
    writeFileSync(join(files, 'etc/passwd'), 'node:x:1000:1000::/tmp:/bin/false\n');
    await run('tar', ['--create', '--file', join(system, 'files.tar'), '--directory', files, '.']);
    await build(
      image,
      bench,
      (context) => {
        renameSync(join(system, 'files.tar'), join(context, 'files.tar'));
        return ['FROM scratch', 'ADD files.tar /', 'ENV PATH=/usr/local/bin'];
      },
      ['--platform', 'linux/arm64'],
    );
  } finally {
    rmSync(system, { recursive: true, force: true });
  }
}

/** @param {string} image @param {Bench} bench */
async function makeRedis(image, bench) {
  await provideDebian(bench);
  await build(image, bench, () => [
    `FROM ${debian}`,
    // apt changes to a user of its own for downloads, which an engine without all capabilities refuses
    'RUN apt-get -o APT::Sandbox::User=root update --quiet \\',
    ' && apt-get -o APT::Sandbox::User=root install --yes --quiet --no-install-recommends redis-server',
    'WORKDIR /data',
    'CMD ["redis-server", "--protected-mode", "no"]',
  ]);
}

/** @param {string} image @param {Bench} bench */
async function makeMinio(image, bench) {
  const minio = await getProgram('minio', bench.say);
  const mc = await getProgram('mc', bench.say);
  await build(image, bench, (context) => {
    copyFileSync(minio, join(context, 'minio'));
    copyFileSync(mc, join(context, 'mc'));
    return [
      ...busybox(context, ['sh', 'mkdir', 'cat', 'env']),
      'COPY minio mc /usr/bin/',
      'ENV MC_CONFIG_DIR=/tmp/.mc',
      'ENTRYPOINT ["minio"]',
    ];
  });
}

/** @param {string} image @param {Bench} bench */
async function makeVersitygw(image, bench) {
  const versitygw = await getProgram('versitygw', bench.say);
  await build(image, bench, (context) => {
    copyFileSync(versitygw, join(context, 'versitygw'));
    return [
      ...busybox(context, ['sh', 'mkdir', 'cat', 'env', 'wget']),
      'COPY versitygw /usr/bin/',
      'ENTRYPOINT ["versitygw"]',
    ];
  });
}

/**
 * The first lines of an image with the commands of BusyBox that the original has too, and no others.
 *
 * @param {string} context
 * @param {string[]} commands
 */
function busybox(context, commands) {
  const path = onPath('busybox');
  if (!path) throw new Error('There is no busybox to make a stand-in with. Install it: apt-get install busybox-static');
  copyFileSync(path, join(context, 'busybox'));
  return [
    'FROM scratch',
    'COPY busybox /bin/busybox',
    ...commands.map((command) => `RUN ["/bin/busybox", "ln", "-s", "busybox", "/bin/${command}"]`),
    'RUN ["/bin/busybox", "mkdir", "-p", "-m", "1777", "/tmp"]',
  ];
}

/** Debian's minimal system as an image, once. @param {Bench} bench */
async function provideDebian({ engine, cache, say }) {
  const has = await engine.run(['image', 'inspect', debian]).then(
    () => true,
    () => false,
  );
  if (has) return;
  const debootstrap = onPath('debootstrap');
  if (!debootstrap || process.getuid?.() !== 0) {
    throw new Error('A stand-in is made by debootstrap, as root. Install it: apt-get install debootstrap');
  }
  const archive = join(cache, 'debian-bookworm.tar');
  if (!existsSync(archive)) {
    say('getting a minimal Debian by debootstrap: once, takes one or two minutes');
    const system = mkdtempSync(join(cache, 'debian-'));
    await run(debootstrap, ['--variant=minbase', '--include=ca-certificates', 'bookworm', system, ...mirrorOfApt()]);
    await run('tar', ['--create', '--file', `${archive}.part`, '--directory', system, '.']);
    renameSync(`${archive}.part`, archive);
    rmSync(system, { recursive: true });
  }
  await engine.run(['import', archive, debian]);
}

/** Where this machine's apt gets Debian from; empty where that cannot be seen, then it is debootstrap's own choice. */
function mirrorOfApt() {
  for (const file of ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list']) {
    const mirror = existsSync(file) && /https?:\/\/\S+\/debian(?=\/?\s)/.exec(readFileSync(file, 'utf8'))?.[0];
    if (mirror && !mirror.includes('snapshot')) return [mirror];
  }
  return [];
}

/**
 * @param {string} image
 * @param {Bench} bench
 * @param {(context: string) => string[]} fill puts files into the context and gives the lines of its Dockerfile
 * @param {string[]} [flags]
 */
async function build(image, { engine, cache }, fill, flags = []) {
  const context = mkdtempSync(join(cache, 'context-'));
  try {
    writeFileSync(join(context, 'Dockerfile'), `${fill(context).join('\n')}\n`);
    await engine.run(['build', '--network', 'host', ...flags, '--tag', fullName(image), context]);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}
