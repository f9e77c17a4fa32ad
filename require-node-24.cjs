/**
 * Preloaded by every npm script, petstore and the CDK app, because Node older than 24 cannot run
 * their code.
 */
const { platform, arch, version, versions } = process;

if (Number.parseInt(versions.node, 10) < 24) {
  const reason = `this is ${version}, and npm has installed none for ${platform}-${arch}`;
  console.error(
    `Run npm ci. If you have, install Node 24 or later (https://nodejs.org): ${reason}.`,
  );
  process.exit(1);
}
