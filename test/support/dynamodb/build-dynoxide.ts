import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../process/tools.ts';

const version = '3.2.0';
const directory = join(cache, `dynoxide-${version}`);
const program = join(directory, 'bin/dynoxide');

/** Builds dynoxide as its own lock file says. */
const install = (): void => {
  const features = ['--no-default-features', '--features', 'http-server,native-sqlite,cli'];
  const options = ['--version', version, '--locked', ...features, '--root', directory];
  const { status, error } = spawnSync('cargo', ['install', 'dynoxide-rs', ...options], {
    stdio: 'inherit',
    // Its release is optimized for size, which takes three times as long to build.
    env: {
      ...process.env,
      CARGO_PROFILE_RELEASE_OPT_LEVEL: '1',
      CARGO_PROFILE_RELEASE_LTO: 'off',
      CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
    },
  });
  if (status !== 0) {
    const message =
      'dynoxide was not built. It needs cargo with Rust 1.88 or later, and a C compiler.';
    throw new Error(message, { cause: error });
  }
};

/** Returns the path of dynoxide, which is built unless an earlier run has. */
export const dynoxide = (): string => {
  if (!existsSync(program)) {
    install();
  }
  return program;
};
